import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { ChannelState, Target } from '../../../src/channel/port.ts';

const MESSAGES_MAX = 10_000;
const CHATS_MAX = 5_000;
const RECALLED_MAX = 1_000;

/** False for presses, menu entries and the like: they have an id, but nothing can be answered or marked under it. */
export const isMessageId = (id: string): boolean => id.startsWith('om_');

/** Where a message stands. */
export interface Place {
  readonly chat: string;
  readonly kind: 'dm' | 'group';
  readonly topic?: string;
  readonly sender?: InboundMessage['sender'];
  readonly fromBot: boolean;
}

/**
 * Remembers what later events leave out: of which chat a message is, whether it is the bot's, in which topics the bot
 * takes part. What has to outlive this process is kept in the channel's state.
 */
export class Places {
  readonly #state: ChannelState;
  readonly #messages = new BoundedMap<string, Place>(MESSAGES_MAX);
  /** By topic: any message in it, since the platform sends to topics by answering in them. */
  readonly #anchors = new BoundedMap<string, string>(CHATS_MAX);
  /** By chat and topic: what was said last. */
  readonly #latest = new BoundedMap<string, string>(CHATS_MAX);
  readonly #recalled = new BoundedMap<string, true>(RECALLED_MAX);
  readonly #joined = new BoundedMap<string, true>(CHATS_MAX);
  readonly #direct = new BoundedMap<string, string>(CHATS_MAX);

  constructor(state: ChannelState) {
    this.#state = state;
  }

  of(messageId: string): Place | undefined {
    return this.#messages.get(messageId);
  }

  /** True for a message that was taken back before it came in: it was delivered again, or late. */
  isRecalled({ kind, id }: InboundMessage): boolean {
    return kind === 'message' && this.#recalled.get(id) === true;
  }

  /** A message came in, or was taken back. */
  async heard(message: InboundMessage): Promise<void> {
    if (message.kind === 'recall') this.#recalled.set(message.id, true);
    if (message.kind !== 'message') return;
    const { id, chat, topic, sender } = message;
    if (isMessageId(id)) {
      const place = { chat: chat.id, kind: chat.kind, sender, fromBot: false };
      this.#messages.set(id, topic === undefined ? place : { ...place, topic });
      this.#latest.set(placeKey(chat.id, topic), id);
    }
    if (topic !== undefined && this.#anchors.get(topic) === undefined) this.#anchors.set(topic, id);
    if (chat.kind === 'dm' && chat.id !== sender.id && this.#direct.get(sender.id) !== chat.id) {
      this.#direct.set(sender.id, chat.id);
      await this.#state.set(`dm:${sender.id}`, chat.id);
    }
  }

  /** The bot has said something. */
  async said(messageId: string, { chat, chatKind, topic }: Target): Promise<void> {
    this.#messages.set(messageId, { chat, kind: chatKind, fromBot: true, ...(topic === undefined ? {} : { topic }) });
    if (topic === undefined || this.#joined.get(topic) === true) return;
    this.#joined.set(topic, true);
    await this.#state.set(`topic:${topic}`, '1');
  }

  /** The bot has said something in this topic before. */
  async takesPart(topic: string): Promise<boolean> {
    if (this.#joined.get(topic) === true) return true;
    const known = (await this.#state.get(`topic:${topic}`)) !== null;
    if (known) this.#joined.set(topic, true); // that it does not, another replica may change at any time
    return known;
  }

  anchorOf(topic: string): string | undefined {
    return this.#anchors.get(topic);
  }

  latestIn({ chat, topic }: Pick<Target, 'chat' | 'topic'>): string | undefined {
    return this.#latest.get(placeKey(chat, topic));
  }

  /** The direct chat with a person, where they have written before. */
  async directChatOf(user: string): Promise<string | undefined> {
    return this.#direct.get(user) ?? (await this.#state.get(`dm:${user}`)) ?? undefined;
  }
}

const placeKey = (chat: string, topic: string | undefined): string => `${chat}/${topic ?? ''}`;
