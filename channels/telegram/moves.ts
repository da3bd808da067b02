import { BoundedMap } from '../../src/base/bounded-map.ts';
import type { Target } from '../../src/channel/port.ts';

/** Groups remembered; one that is forgotten costs a refused send, whose refusal says again where it went. */
const MOVES_MAX = 1_000;

/** Groups that became supergroups. Their old ids take nothing any more, and nothing of the old is known in the new. */
export class Moves {
  readonly #newChats = new BoundedMap<string, string>(MOVES_MAX);

  note(oldChat: string, newChat: string): void {
    if (oldChat !== newChat) this.#newChats.set(oldChat, newChat);
  }

  /** Where what goes to `target` has to go now. */
  current(target: Target): Target {
    const newChat = this.#newChats.get(target.chat);
    return newChat === undefined ? target : { chat: newChat, chatKind: 'group' };
  }
}
