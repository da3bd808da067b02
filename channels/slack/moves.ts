import type { ChannelState, Target } from '../../src/channel/port.ts';
import { reasonOf } from './errors.ts';

/** Channels that got another id, known to all replicas by the channel's state. */
export class Moves {
  readonly #state: ChannelState;

  constructor(state: ChannelState) {
    this.#state = state;
  }

  async note(old: string, fresh: string): Promise<void> {
    await this.#state.set(`moved-from:${fresh}`, old);
    await this.#state.set(`moved-to:${old}`, fresh);
  }

  /** The id that a channel had before; null when it has not moved. */
  formerId(chat: string): Promise<string | null> {
    return this.#state.get(`moved-from:${chat}`);
  }

  /** Acts on the target, and where that is gone because it has moved, on where it is now. */
  async follow<Result>(target: Target, act: (to: Target) => Promise<Result>): Promise<Result> {
    try {
      return await act(target);
    } catch (error) {
      const chat = reasonOf(error) === 'channel_not_found' ? await this.#state.get(`moved-to:${target.chat}`) : null;
      if (chat === null) throw error;
      return act({ ...target, chat });
    }
  }
}
