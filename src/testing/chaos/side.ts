/** One platform of the storm, and the chats on it. */
export interface Side {
  readonly name: string;
  /** Does it know a message again that is sent twice? Then nothing may be left in doubt there. */
  readonly knowsRepeats: boolean;
  readonly rooms: readonly Room[];
  /** The channels of an Antler that is to answer there, as its configuration has them. */
  readonly channels: Readonly<Record<string, object>>;
  /** Tells of every message of a bot, and of every change of one; returns how to end that. */
  hear(listener: (text: string, isNew: boolean) => void): () => void;
  /** From now on cuts the answers to this share of the sends off, after they were done. */
  dropAnswers(share: number): Drops;
  /** The messages of the bots that people see now in each chat, oldest first. */
  shown(): ReadonlyMap<Room, readonly Shown[]>;
  /** Sends of a message that the platform knew already, so far. */
  repeats(): number;
  stop(): Promise<void>;
}

export interface Drops {
  /** How often so far. */
  count(): number;
  end(): void;
}

/** A chat with one of the bots. */
export interface Room {
  /** People wait for an answer before they go on: the platform itself does not keep the order of what is said. */
  readonly takesTurns: boolean;
  /** Somebody asks this. */
  ask(number: number): void;
  /** Makes the platform tell of the newest message once more, when called; undefined before the first. */
  newestAgain(): (() => void) | undefined;
}

export interface Shown {
  readonly text: string;
  /** It was shown while the answer grew, and never finished in place: nobody has learned its id. */
  readonly orphaned: boolean;
}

/** Every so many chats is a group of three people. */
const GROUP_EVERY = 10;

/** How many people are in the `index`-th chat besides the bot. */
export const peopleIn = (index: number): number => (index % GROUP_EVERY === GROUP_EVERY - 1 ? 3 : 1);

/** Who of those in a chat asks a question. */
export function speakerOf<Person>(people: readonly Person[], number: number): Person {
  const speaker = people[number % people.length];
  if (speaker === undefined) throw new Error('Nobody is in this chat');
  return speaker;
}
