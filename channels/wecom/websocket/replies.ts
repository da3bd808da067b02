import { z } from 'zod';
import { keptJson } from '../../../src/base/kept-json.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { ChannelState, Target } from '../../../src/channel/port.ts';
import { EVENT_REPLY_MS, REPLY_MAX_MS, STREAM_MAX_MS } from '../limits.ts';

const replyShape = z.object({
  /** Of the message that may be answered so. */
  message: z.string(),
  reqId: z.string(),
  kind: z.enum(['message', 'welcome']),
  at: z.number(),
  /** The delivery that answers it. A message has one answer that grows; whatever comes after it is a message of its own. */
  by: z.string().optional(),
  /** It was claimed for an answer that grows, whose end may come from somebody who does not know that. */
  grows: z.boolean().optional(),
  /** Since when the place shows that the bot is thinking: an answer without a word yet. */
  thinking: z.number().optional(),
  /** The end of the answer, as a digest, from the moment that it is about to be sent. */
  end: z.string().optional(),
});

export type Reply = z.output<typeof replyShape>;

const repliesShape = z.array(replyShape);

/** Where it is shown that the bot is thinking. */
export interface Thinking {
  readonly reqId: string;
  readonly since: number;
  /** It was not shown there before. */
  readonly isNew: boolean;
}

export interface Claim {
  readonly delivery: string;
  /** `whole`: it may be the end of an answer that has begun; `beside`: it comes with an answer and is never its end. */
  readonly kind: 'growing' | 'whole' | 'beside';
  readonly now: number;
}

/** Of one chat; what is older is answered by a message of its own. */
const REPLIES_MAX = 16;

/** Which messages can still be answered in their own place, known to whichever process holds the connection. */
export class ReplyBook {
  readonly #state: ChannelState;
  readonly #lanes = new Lanes();

  constructor(state: ChannelState) {
    this.#state = state;
  }

  /** Before intake hears of the message, so that no answer can be too fast. */
  note(chat: string, reply: Pick<Reply, 'message' | 'reqId' | 'kind' | 'at'>): Promise<void> {
    return this.#change(chat, (replies) => [...replies.filter(({ message }) => message !== reply.message), reply]);
  }

  /** The place where an answer goes; the same for each attempt of its delivery. Undefined when there is none. */
  async claim({ chat, answers = [] }: Target, { delivery, kind, now }: Claim): Promise<Reply | undefined> {
    let claimed: Reply | undefined;
    const grows = kind === 'growing';
    await this.#change(chat, (replies) => {
      const mine = replies.find(({ by }) => by === delivery);
      const begun = kind !== 'whole' ? undefined : replies.findLast((reply) => isUnended(reply, answers));
      const free = replies.filter((reply) => isFree(reply, answers) && isOpen(reply, grows, now));
      claimed = mine ?? begun ?? free.find(isThinking) ?? free.at(-1);
      return replies.map((reply) => (reply === claimed ? { ...reply, by: delivery, grows } : reply));
    });
    return claimed;
  }

  /** The place that shows from `now` on, or since before, that the bot is thinking. Undefined when there is none. */
  async think({ chat, answers = [] }: Target, now: number): Promise<Thinking | undefined> {
    let chosen: Reply | undefined;
    await this.#change(chat, (replies) => {
      const free = replies.filter((reply) => isFree(reply, answers) && (isThinking(reply) || isOpen(reply, true, now)));
      chosen = free.find(isThinking) ?? free.at(-1);
      return replies.map((reply) => (reply === chosen ? { ...reply, thinking: reply.thinking ?? now } : reply));
    });
    return chosen && { reqId: chosen.reqId, since: chosen.thinking ?? now, isNew: chosen.thinking === undefined };
  }

  /**
   * Notes the end of an answer before it is sent; undefined takes the note back.
   * @returns true when the same end was noted before: whoever did so, maybe another process, may have sent it
   */
  async noteEnd(chat: string, reqId: string, end: string | undefined): Promise<boolean> {
    let wasNoted = false;
    await this.#change(chat, (replies) =>
      replies.map((reply) => {
        if (reply.reqId !== reqId) return reply;
        wasNoted = reply.end === end;
        const { end: _, ...rest } = reply;
        return end === undefined ? rest : { ...rest, end };
      }),
    );
    return wasNoted;
  }

  #change(chat: string, change: (replies: readonly Reply[]) => readonly Reply[]): Promise<void> {
    return this.#lanes.run(chat, async () => {
      const before = keptJson(await this.#state.get(keyOf(chat)), repliesShape) ?? [];
      const after = change(before).slice(-REPLIES_MAX);
      const isSame = after.length === before.length && after.every((reply, index) => reply === before[index]);
      if (!isSame) await this.#state.set(keyOf(chat), JSON.stringify(after));
    });
  }
}

const isFree = ({ by, message }: Reply, answers: readonly string[]): boolean =>
  by === undefined && answers.includes(message);

/** Of an answer that was growing when its process died, or whose beginning was not confirmed. */
const isUnended = ({ grows, end, message }: Reply, answers: readonly string[]): boolean =>
  grows === true && end === undefined && answers.includes(message);
const isThinking = ({ thinking }: Reply): boolean => thinking !== undefined;

/** A welcome is said once and at once; it does not grow. */
function isOpen({ kind, at, thinking }: Reply, grows: boolean, now: number): boolean {
  if (kind === 'welcome') return !grows && now - at < EVENT_REPLY_MS;
  return now - (thinking ?? at) < (thinking === undefined ? REPLY_MAX_MS : STREAM_MAX_MS);
}

const keyOf = (chat: string): string => `replies:${chat}`;
