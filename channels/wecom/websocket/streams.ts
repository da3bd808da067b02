import { createHash } from 'node:crypto';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { languageOf, say } from '../../../src/base/sentences.ts';
import { REMEMBERED_MAX, STREAM_MAX_MS } from '../limits.ts';
import type { Card } from '../outbound/card.ts';
import type { ReplyBook } from './replies.ts';
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

/** Where an answer begins. */
interface Beginning {
  readonly reqId: string;
  readonly since: number | undefined;
}

/** What WeCom shows as thinking; Tencent's own client begins its answers so. */
const THINKING = '<think></think>';

/**
 * Answers that grow in place, for about six minutes: each frame holds the whole text so far. `target_gone` says that
 * the text has to be sent as a message of its own.
 */
export class Streams {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #replies: Pick<ReplyBook, 'noteEnd'>;
  readonly #endings = new BoundedMap<string, Ending>(REMEMBERED_MAX);

  constructor(clock: Pick<Clock, 'now'>, replies: Pick<ReplyBook, 'noteEnd'>) {
    this.#clock = clock;
    this.#replies = replies;
  }

  /** Shows an answer that has no word yet. */
  async think(link: Link, reqId: string): Promise<void> {
    const stream = { id: digest(reqId), finish: false, content: THINKING };
    await link.call('aibot_respond_msg', { msgtype: 'stream', stream }, { reqId, idempotent: true });
  }

  /**
   * Answers a message in its place.
   * @param since when the place began to show something; absent: it shows nothing yet
   */
  async begin(link: Link, chat: string, { reqId, since }: Beginning, stand: Stand): Promise<string> {
    // Derived, so that a second attempt changes the same answer.
    const stream = digest(reqId);
    const id: StreamId = { reqId, stream, at: since ?? this.#clock.now() };
    await this.#show(link, chat, id, stand, { id: stream });
    return writeStreamId(id);
  }

  async grow(link: Link, chat: string, messageId: string, stand: Stand): Promise<void> {
    const id = readStreamId(messageId);
    if (id === null) throw gone();
    const ending = this.#endings.get(id.stream);
    if (ending?.kind === 'finished' && (!stand.final || ending.text === stand.text)) return;
    if (ending?.kind === 'left' && !stand.final) return;
    if (ending !== undefined) throw gone();
    const isLate = this.#clock.now() - id.at > STREAM_MAX_MS;
    if (isLate && !stand.final) await this.#leave(link, id, stand.text);
    else await this.#show(link, chat, id, stand);
  }

  async #show(link: Link, chat: string, id: StreamId, stand: Stand, feedback?: object): Promise<void> {
    const { text, final, card } = stand;
    const stream = { id: id.stream, finish: final, content: text, ...(feedback === undefined ? {} : { feedback }) };
    const body =
      card === undefined
        ? { msgtype: 'stream', stream }
        : { msgtype: 'stream_with_template_card', stream, template_card: card };
    // It says the same however often it is said.
    const call = (): Promise<unknown> => link.call('aibot_respond_msg', body, { reqId: id.reqId, idempotent: true });
    if (final) await this.#finish(chat, id, text, call);
    else await call();
  }

  /**
   * Ends an answer. When its end is refused that has been sent before, by whichever process, only the confirmation was
   * lost: an answer that is finished takes nothing more.
   */
  async #finish(chat: string, { reqId, stream }: StreamId, text: string, call: () => Promise<unknown>): Promise<void> {
    const wasSent = await this.#replies.noteEnd(chat, reqId, digest(text));
    try {
      await call();
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (!wasSent || error.code !== 'target_gone') {
        if (error.code !== 'timeout') await this.#replies.noteEnd(chat, reqId, undefined);
        throw error;
      }
    }
    this.#endings.set(stream, { kind: 'finished', text });
  }

  /** Ends what shows that the bot is thinking, and has for too long; the answer comes below. */
  async stopThinking(link: Link, reqId: string): Promise<void> {
    if (this.#endings.get(digest(reqId)) === undefined) await this.#leave(link, { reqId, stream: digest(reqId) }, '…');
  }

  /** Ends an answer that will not be complete in time; the whole of it comes below. */
  async #leave(link: Link, id: Omit<StreamId, 'at'>, text: string): Promise<void> {
    this.#endings.set(id.stream, { kind: 'left' });
    const stream = { id: id.stream, finish: true, content: say(languageOf(undefined, text), 'answer_below') };
    const body = { msgtype: 'stream', stream };
    await link.call('aibot_respond_msg', body, { reqId: id.reqId, idempotent: true }).catch(() => {}); // it ends by itself
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const gone = (): AntlerError => new AntlerError('target_gone', 'This message of WeCom’s cannot be changed any more.');
