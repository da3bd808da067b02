import { BoundedMap } from '../../src/base/bounded-map.ts';
import type { ChannelState, Target } from '../../src/channel/port.ts';
import type { Moves } from './moves.ts';

const REMEMBERED = 10_000;

/**
 * The threads of channels that the bot has spoken in: there, people go on without mentioning it. Known to all replicas
 * by the channel's state.
 */
export class Threads {
  readonly #state: ChannelState;
  readonly #moves: Moves;
  readonly #known = new BoundedMap<string, true>(REMEMBERED);

  constructor(state: ChannelState, moves: Moves) {
    this.#state = state;
    this.#moves = moves;
  }

  async join({ chat, chatKind, topic }: Target): Promise<void> {
    if (chatKind !== 'group' || topic === undefined) return;
    const name = nameOf(chat, topic);
    if (this.#known.get(name) === true) return;
    this.#known.set(name, true);
    await this.#state.set(name, '1');
  }

  async has(chat: string, topic: string): Promise<boolean> {
    const name = nameOf(chat, topic);
    if (this.#known.get(name) === true) return true;
    const isKnown = (await this.#state.get(name)) !== null || (await this.#hadBefore(chat, topic));
    if (isKnown) this.#known.set(name, true);
    return isKnown;
  }

  async #hadBefore(chat: string, topic: string): Promise<boolean> {
    const former = await this.#moves.formerId(chat);
    return former !== null && (await this.#state.get(nameOf(former, topic))) !== null;
  }
}

const nameOf = (chat: string, topic: string): string => `thread:${chat}:${topic}`;
