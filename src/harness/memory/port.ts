import type { Speaker } from '../log.ts';

/** Whose memory a run may look into: that of who is answered, and of the group where it is one. */
export interface MemoryPlace {
  /** The speaker's person. */
  readonly person: string;
  /** The channel's name. */
  readonly channel: string;
  /** The platform's chat id. */
  readonly chat: string;
  readonly chatKind: 'dm' | 'group';
}

/** What is known of somebody, ready to be told; lines are data of people. */
export interface MemorySection {
  readonly about: 'person' | 'group';
  readonly lines: readonly string[];
}

export interface RememberedFact {
  /** Of this place: `12` the speaker's, `g3` the group's. */
  readonly label: string;
  readonly content: string;
}

/** A fact that the model wants kept. */
export interface WantedFact {
  readonly about: MemorySection['about'];
  readonly content: string;
  readonly category: 'preference' | 'knowledge' | 'context' | 'behavior' | 'goal' | 'correction';
  readonly speaker: Speaker;
  readonly thread: string;
  /** Id of the message that it is about. */
  readonly entry: string;
}

/**
 * What is remembered over conversations, as a run sees it. Changes are done when they resolve.
 * @throws AntlerError `bad_input` for what must not be kept, `not_found`, `forbidden` where memory is turned off.
 */
export interface MemoryAccess {
  /** What is worth telling a model that was just told `text`, within the installation's budget. */
  recall(place: MemoryPlace, text: string): Promise<readonly MemorySection[]>;
  search(place: MemoryPlace, query: string): Promise<readonly RememberedFact[]>;
  add(place: MemoryPlace, fact: WantedFact): Promise<RememberedFact>;
  update(place: MemoryPlace, label: string, content: string, by: Speaker): Promise<RememberedFact>;
  forget(place: MemoryPlace, label: string, by: Speaker): Promise<RememberedFact>;
}
