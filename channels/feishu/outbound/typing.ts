import { z } from 'zod';
import type { Logger } from '../../../src/base/logger.ts';
import type { Target } from '../../../src/channel/port.ts';
import type { OpenApi } from '../api.ts';
import { TYPING_LASTS_MS } from '../limits.ts';
import { isMessageId, type Places } from '../lookup/places.ts';

/** https://open.feishu.cn/document/server-docs/im-v1/message-reaction/emojis-introduce */
const EMOJI = 'Typing';
const MARKS_MAX = 500;
/** How long `stop` waits for the reactions to be taken away. */
const FAREWELL_MS = 1_000;

interface Mark {
  readonly place: string;
  readonly reaction: Promise<string | undefined>;
  timer: NodeJS.Timeout;
}

const reactionShape = z.object({ data: z.object({ reaction_id: z.string().min(1) }) });

/**
 * Feishu has no typing indicator. Its stand-in is a reaction on the message that is being answered, taken away when the
 * answer begins, or when nobody has confirmed for a while that it is still being worked on.
 */
export class TypingMarks {
  readonly #api: OpenApi;
  readonly #places: Places;
  readonly #log: Logger;
  readonly #marks = new Map<string, Mark>();

  constructor(api: OpenApi, places: Places, log: Logger) {
    this.#api = api;
    this.#places = places;
    this.#log = log;
  }

  /** Marks the message in question, or confirms its mark. */
  async show(target: Target): Promise<void> {
    const { replyTo = '' } = target;
    const messageId = isMessageId(replyTo) ? replyTo : this.#places.latestIn(target);
    if (messageId === undefined) return;
    const known = this.#marks.get(messageId);
    if (known !== undefined) {
      clearTimeout(known.timer);
      known.timer = this.#expiry(messageId);
      return;
    }
    if (this.#marks.size >= MARKS_MAX) return;
    const reaction = this.#add(messageId);
    this.#marks.set(messageId, { place: placeOf(target), reaction, timer: this.#expiry(messageId) });
    await reaction;
  }

  /** The answer has begun. Does not wait for the reaction to be gone. */
  answered(target: Target): void {
    const { replyTo = '' } = target;
    const place = placeOf(target);
    for (const [messageId, mark] of this.#marks) {
      if (isMessageId(replyTo) ? messageId === replyTo : mark.place === place) void this.#remove(messageId);
    }
  }

  async stop(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FAREWELL_MS);
    await Promise.race([Promise.all([...this.#marks.keys()].map((messageId) => this.#remove(messageId))), late]);
    clearTimeout(timer);
  }

  #expiry(messageId: string): NodeJS.Timeout {
    return setTimeout(() => void this.#remove(messageId), 2 * TYPING_LASTS_MS).unref();
  }

  async #add(messageId: string): Promise<string | undefined> {
    try {
      const body = { reaction_type: { emoji_type: EMOJI } };
      return reactionShape.parse(await this.#api.call('POST', reactionsOf(messageId), { body, idempotent: true })).data
        .reaction_id;
    } catch (error) {
      this.#log.debug({ err: error }, 'the sign of working could not be set');
      return undefined;
    }
  }

  /** Never rejects. */
  async #remove(messageId: string): Promise<void> {
    const mark = this.#marks.get(messageId);
    if (mark === undefined) return;
    this.#marks.delete(messageId);
    clearTimeout(mark.timer);
    const reaction = await mark.reaction;
    if (reaction === undefined) return;
    try {
      await this.#api.call('DELETE', `${reactionsOf(messageId)}/${encodeURIComponent(reaction)}`, { idempotent: true });
    } catch (error) {
      this.#log.debug({ err: error }, 'the sign of working could not be taken away');
    }
  }
}

const reactionsOf = (messageId: string): string => `/im/v1/messages/${encodeURIComponent(messageId)}/reactions`;

const placeOf = ({ chat, topic }: Target): string => `${chat}/${topic ?? ''}`;
