import { BoundedMap } from '../../src/base/bounded-map.ts';
import type { InboundMessage, Quote } from '../../src/channel/message.ts';
import type { BotIdentity, SlackApi } from './api.ts';
import type { Directory } from './directory.ts';
import { LOOKUP_TIMEOUT_MS } from './limits.ts';
import { contentOf } from './normalize/content.ts';
import { idsInMessages } from './normalize/ids.ts';
import { type MessageCore, repliesShape } from './normalize/wire.ts';
import type { Threads } from './threads.ts';

export interface BackstoryParts {
  readonly api: SlackApi;
  readonly bot: BotIdentity;
  readonly directory: Directory;
  readonly threads: Threads;
}

/** conversations.replies gives no more at once. */
const PAGE = 1_000;
const PAGES_MOST = 5;
/** An event has to be acknowledged within three seconds. */
const BUDGET_MS = 2_000;
const REPLIES_MOST = 15;
const FILES_MOST = 10;
const MESSAGE_MOST_CHARS = 1_000;
const REMEMBERED = 200;

/**
 * What was said in a thread before somebody called the bot into it: "look into this" means what stands above. Once the
 * bot has spoken there, the conversation itself knows.
 */
export class Backstory {
  readonly #parts: BackstoryParts;
  /** A mention comes as two events at once; its thread is read once. */
  readonly #read = new BoundedMap<string, Promise<Quote | undefined>>(REMEMBERED);

  constructor(parts: BackstoryParts) {
    this.#parts = parts;
  }

  /** Undefined when there is none, or when it cannot be had; the message does not depend on it. */
  async of({ chat, topic, id, addressed, kind, quote }: InboundMessage): Promise<Quote | undefined> {
    const isCall = addressed === 'mention' && kind === 'message' && chat.kind === 'group';
    if (!isCall || quote !== undefined || topic === undefined || topic === id) return undefined;
    if (await this.#parts.threads.has(chat.id, topic)) return undefined;
    const name = `${chat.id}:${id}`;
    const reading = this.#read.get(name) ?? this.#fetch(chat.id, topic, id).catch(() => undefined);
    this.#read.set(name, reading);
    return reading;
  }

  async #fetch(channel: string, topic: string, until: string): Promise<Quote | undefined> {
    const { bot, directory } = this.#parts;
    const thread = await this.#thread(channel, topic);
    const [root, ...replies] = thread.filter(({ ts }) => ts !== until && Number(ts) < Number(until));
    if (root === undefined) return undefined;
    const shown = replies.slice(-REPLIES_MOST);
    await directory.lookUp(idsInMessages([root, ...shown]));
    const content = contentOf(root, bot, directory);
    const said = shown.map((reply) => ({ author: this.#author(reply), ...contentOf(reply, bot, directory) }));
    const left = replies.length - shown.length;
    const lines = [
      shortened(content.text),
      ...(left > 0 ? [`[${left} more]`] : []),
      ...said.map(({ author, text }) => `${author}: ${shortened(text)}`),
    ];
    return {
      messageId: root.ts,
      author: this.#author(root),
      fromBot: root.user === bot.userId,
      text: lines.join('\n'),
      files: [content, ...said].flatMap(({ files }) => files).slice(0, FILES_MOST),
    };
  }

  /** All of it, or as much as can be had in a moment: the message waits for it. */
  async #thread(channel: string, topic: string): Promise<MessageCore[]> {
    const signal = AbortSignal.timeout(BUDGET_MS);
    const messages: MessageCore[] = [];
    let cursor: string | undefined = '';
    for (let page = 1; page <= PAGES_MOST && cursor !== undefined; page++) {
      const args = { channel, ts: topic, limit: PAGE, ...(cursor === '' ? {} : { cursor }) };
      const options = { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS, signal };
      const answer = repliesShape.safeParse(
        await this.#parts.api.call('conversations.replies', args, options).catch(() => undefined),
      );
      const known = new Set(messages.map(({ ts }) => ts)); // the root comes with every page
      messages.push(...(answer.data?.messages ?? []).filter(({ ts }) => !known.has(ts)));
      cursor = answer.data?.response_metadata?.next_cursor || undefined;
    }
    return messages;
  }

  #author({ user, bot_id: botId, username }: MessageCore): string {
    return this.#parts.directory.user(user ?? '')?.name ?? username ?? user ?? botId ?? '?';
  }
}

const shortened = (text: string): string =>
  text.length <= MESSAGE_MOST_CHARS ? text : `${text.slice(0, MESSAGE_MOST_CHARS).toWellFormed()}…`;
