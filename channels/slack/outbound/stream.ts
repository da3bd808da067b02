import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { Target } from '../../../src/channel/port.ts';
import type { BotIdentity, SlackApi } from '../api.ts';
import type { Askers } from '../askers.ts';
import { reasonOf } from '../errors.ts';
import { LOOK_TIMEOUT_MS, STREAM_MAX_MS } from '../limits.ts';
import { repliesShape } from '../normalize/wire.ts';
import { slackMarkdown } from './markdown.ts';

/** A stream that this process has begun. */
interface Live {
  readonly startedAt: number;
  /** What Slack shows of it; a stream can only grow. */
  readonly sent: string;
}

export interface StreamsOptions {
  readonly api: SlackApi;
  readonly identify: () => Promise<BotIdentity>;
  readonly askers: Askers;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

const REMEMBERED = 2_000;

/** In the id of a message that began as a stream, so that whoever changes it knows to end the stream first. */
const MARK = '~';

export const isStream = (id: string): boolean => id.endsWith(MARK);
export const tsOf = (id: string): string => (isStream(id) ? id.slice(0, -MARK.length) : id);

/** With these Slack says that it has no streams for this app at all. */
const NEVER = new Set([
  'unknown_method',
  'missing_scope',
  'not_allowed_token_type',
  'access_denied',
  'method_deprecated',
]);

/**
 * Answers that grow by Slack's own streaming: chat.startStream, appendStream, stopStream. It needs a thread, and in
 * channels somebody whom the answer is for; it only ever adds text; and Slack ends it after five minutes. Whenever one
 * of these does not hold, the caller goes on by edits, so nothing here decides whether an answer arrives.
 */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #live = new BoundedMap<string, Live>(REMEMBERED);
  readonly #ended = new BoundedMap<string, true>(REMEMBERED);
  #available = true;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** The id of the message that now grows; undefined when it cannot be streamed. */
  async start(target: Target, markdown: string): Promise<string | undefined> {
    const { api, identify, askers, clock, log } = this.#options;
    const { chat, chatKind, topic } = target;
    const asker = askers.of(target);
    if (!this.#available || topic === undefined || (chatKind === 'group' && asker === undefined)) return undefined;
    const text = whole(slackMarkdown(markdown));
    if (text.trim() === '') return undefined;
    const recipient =
      chatKind === 'dm' ? {} : { recipient_user_id: asker?.user, recipient_team_id: (await identify()).teamId };
    const args = { channel: chat, thread_ts: topic, markdown_text: text, ...recipient };
    try {
      const ts = Reflect.get(Object(await api.call('chat.startStream', args)), 'ts');
      if (typeof ts !== 'string') throw new AntlerError('uncertain', 'Slack’s answer names no message.');
      this.#live.set(ts, { startedAt: clock.now(), sent: text });
      return ts + MARK;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) {
        // Who knows whether it began; if it did, it would stand there unfinished for ever.
        const begun = asAntlerError(error).code === 'uncertain' ? await this.#findBegun(chat, topic) : undefined;
        if (begun === undefined) throw error;
        this.#live.set(begun, { startedAt: clock.now(), sent: text });
        return begun + MARK;
      }
      if (NEVER.has(reason)) this.#available = false;
      log.debug({ reason }, 'Slack does not stream here; the answer grows by edits');
      return undefined;
    }
  }

  /** The stream of ours that is open in a thread, where there is never more than one. */
  async #findBegun(chat: string, topic: string): Promise<string | undefined> {
    const { api, identify } = this.#options;
    const args = { channel: chat, ts: topic, limit: 200 };
    const options = { idempotent: true, timeoutMs: LOOK_TIMEOUT_MS };
    const answer = await api.call('conversations.replies', args, options).catch(() => undefined);
    const { userId } = await identify();
    const page = repliesShape.safeParse(answer).data?.messages ?? [];
    return page.findLast(({ user, streaming_state: state }) => user === userId && state === 'in_progress')?.ts;
  }

  /** Shows more of it; false when the caller has to edit the message instead. */
  async grow({ chat }: Target, id: string, markdown: string): Promise<boolean> {
    const ts = tsOf(id);
    const live = this.#live.get(ts);
    const text = whole(slackMarkdown(markdown));
    if (live === undefined || !text.startsWith(live.sent)) return this.#stop(chat, ts);
    const added = text.slice(live.sent.length);
    if (this.#options.clock.now() - live.startedAt > STREAM_MAX_MS) return this.#stop(chat, ts);
    if (added === '') return true;
    try {
      await this.#options.api.call('chat.appendStream', { channel: chat, ts, markdown_text: added });
      this.#live.set(ts, { ...live, sent: text });
      return true;
    } catch (error) {
      if (asAntlerError(error).code === 'rate_limited') throw error;
      return this.#stop(chat, ts); // what it shows now is not known, and an edit says it all
    }
  }

  /** Ends it with the final text; false when the caller has to edit the message instead. */
  async finish({ chat }: Target, id: string, markdown: string, blocks: readonly object[]): Promise<boolean> {
    const ts = tsOf(id);
    const live = this.#live.get(ts);
    const text = slackMarkdown(markdown.toWellFormed());
    if (live === undefined || !text.startsWith(live.sent)) return this.#stop(chat, ts);
    const rest = text.slice(live.sent.length);
    const args = {
      ...{ channel: chat, ts },
      ...(rest === '' ? {} : { markdown_text: rest }),
      ...(blocks.length > 0 ? { blocks } : {}),
    };
    try {
      await this.#options.api.call('chat.stopStream', args, { idempotent: true });
      this.#live.delete(ts);
      this.#ended.set(ts, true);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.#stop(chat, ts); // refused, it may be open still
    }
  }

  /** Ends it as it is, so that it can be edited or deleted; false, always: it does not show the text. */
  async #stop(chat: string, ts: string): Promise<false> {
    if (this.#ended.get(ts) === true) return false;
    await this.end(chat, ts).catch((error: unknown) => {
      this.#options.log.debug({ code: asAntlerError(error).code }, 'a stream could not be stopped; the edit shows');
    });
    return false;
  }

  /** Ends it, whatever is known of it. @throws AntlerError when nobody knows whether it has ended */
  async end(chat: string, ts: string): Promise<void> {
    this.#live.delete(ts);
    try {
      await this.#options.api.call('chat.stopStream', { channel: chat, ts }, { idempotent: true });
    } catch (error) {
      if (!isRefusal(error)) throw error; // otherwise it is over already
    }
    this.#ended.set(ts, true);
  }

  /** Ends it before the message is taken away. */
  async abandon({ chat }: Target, id: string): Promise<void> {
    await this.#stop(chat, tsOf(id));
  }
}

/** Slack has looked at it and will not do it, however often it is asked. */
const isRefusal = (error: unknown): boolean =>
  reasonOf(error) !== undefined && asAntlerError(error).code !== 'rate_limited';

/** Without half a character at its end, which would be broken for good. */
const whole = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text).toWellFormed();
