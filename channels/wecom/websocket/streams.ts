import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { languageOf, say } from '../../../src/base/sentences.ts';
import { BoundedMap } from '../../../src/channel/bounded-map.ts';
import { REMEMBERED_MAX, STREAM_MAX_MS } from '../limits.ts';
import type { Card } from '../outbound/card.ts';
import type { Link } from './session.ts';
import { readStreamId, type StreamId, writeStreamId } from './stream-id.ts';

/** What an answer shows now. */
export interface Stand {
  readonly text: string;
  readonly final: boolean;
  readonly card?: Card;
}

/** What became of an answer. `left`: it stands there without its end, which comes as a message of its own. */
type Ending = { readonly kind: 'finished'; readonly text: string } | { readonly kind: 'left' };

/** An end that WeCom has not confirmed, and the connection that it was sent on. */
interface Unconfirmed {
  readonly link: Link;
}

/**
 * Answers that grow in place, for about six minutes: each frame holds the whole text so far. `target_gone` says that
 * the text has to be sent as a message of its own.
 */
export class Streams {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #endings = new BoundedMap<string, Ending>(REMEMBERED_MAX);
  readonly #unconfirmed = new BoundedMap<string, Unconfirmed>(REMEMBERED_MAX);

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Answers a message in its place. */
  async begin(link: Link, reqId: string, stand: Stand): Promise<string> {
    // Derived, so that a second attempt changes the same answer.
    const stream = createHash('sha256').update(reqId).digest('hex').slice(0, 32);
    const id: StreamId = { reqId, stream, at: this.#clock.now() };
    await this.#show(link, id, stand, true);
    return writeStreamId(id);
  }

  async grow(link: Link, messageId: string, stand: Stand): Promise<void> {
    const id = readStreamId(messageId);
    if (id === null) throw gone();
    const ending = this.#endings.get(id.stream);
    if (ending?.kind === 'finished' && (!stand.final || ending.text === stand.text)) return;
    if (ending?.kind === 'left' && !stand.final) return;
    if (ending !== undefined) throw gone();
    const isLate = this.#clock.now() - id.at > STREAM_MAX_MS;
    if (isLate && !stand.final) return this.#leave(link, id, stand.text);
    await this.#show(link, id, stand, false);
  }

  async #show(link: Link, id: StreamId, stand: Stand, isFirst: boolean): Promise<void> {
    const { text, final, card } = stand;
    const stream = { id: id.stream, finish: final, content: text, ...(isFirst ? { feedback: { id: id.stream } } : {}) };
    const body =
      card === undefined
        ? { msgtype: 'stream', stream }
        : { msgtype: 'stream_with_template_card', stream, template_card: card };
    try {
      // It says the same however often it is said.
      await link.call('aibot_respond_msg', body, { reqId: id.reqId, idempotent: true });
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (!final || !this.#isDone(link, id, error)) throw error;
    }
    if (final) this.#endings.set(id.stream, { kind: 'finished', text });
  }

  /** True when an end that is refused now has been said before: only its confirmation was lost. */
  #isDone(link: Link, { stream }: StreamId, error: AntlerError): boolean {
    if (error.retryable) this.#unconfirmed.set(stream, { link });
    return error.code === 'target_gone' && this.#unconfirmed.get(stream)?.link === link;
  }

  /** Ends an answer that will not be complete in time; the whole of it comes below. */
  async #leave(link: Link, id: StreamId, text: string): Promise<void> {
    this.#endings.set(id.stream, { kind: 'left' });
    const stream = { id: id.stream, finish: true, content: say(languageOf(undefined, text), 'answer_below') };
    const body = { msgtype: 'stream', stream };
    await link.call('aibot_respond_msg', body, { reqId: id.reqId, idempotent: true }).catch(() => {}); // it ends by itself
  }
}

const gone = (): AntlerError => new AntlerError('target_gone', 'This message of WeCom’s cannot be changed any more.');
