/** What was said in one chat and what its people see now. */
export interface Conversation {
  /** The numbers that were asked, in order. */
  readonly asked: readonly number[];
  /** The messages of the bot that are to be seen, oldest first. */
  readonly answers: readonly Answer[];
}

export interface Answer {
  /** What it answers. */
  readonly numbers: readonly number[];
  /** It was shown while the answer grew, and never finished in place: nobody has learned its id. */
  readonly orphaned: boolean;
}

/** Numbers in the dead letters, by what became of them. */
export interface SetAside {
  /** Their answer may or may not have been sent; the channel's policy holds it. */
  readonly uncertain: ReadonlySet<number>;
  /** Their turn was given up, or their answer was refused for good. */
  readonly dead: ReadonlySet<number>;
}

export interface Verdict {
  readonly asked: number;
  /** To be seen on the platform. */
  readonly answered: number;
  /** Neither to be seen nor set aside. */
  readonly lost: readonly number[];
  /** To be seen in more than one place. */
  readonly twice: readonly number[];
  /** Said after a stand of it was shown whose sending may or may not have been done; the words must arrive all the same. */
  readonly afterOrphan: number;
  /** Chats in which a later number was answered before an earlier one. */
  readonly disordered: readonly Conversation[];
  /** Set aside as uncertain and not to be seen; those that did arrive count as answered. */
  readonly uncertain: number;
  readonly uncertainButSeen: number;
  /** In the dead letters for good. */
  readonly dead: number;
  /** Messages of the bot that answer no number: words about a failure. */
  readonly otherWords: number;
}

/** Judges by what people see, and by the dead letters for what they do not see. */
export function judge(conversations: readonly Conversation[], { uncertain, dead }: SetAside): Verdict {
  const asked = conversations.flatMap((one) => one.asked);
  const all = conversations.flatMap((one) => one.answers);
  const seen = timesOf(all);
  const said = timesOf(all.filter((answer) => !answer.orphaned));
  const unseen = asked.filter((number) => !seen.has(number));
  const isTwice = (number: number): boolean =>
    (said.get(number) ?? 0) > 1 || (!said.has(number) && (seen.get(number) ?? 0) > 1);
  return {
    asked: asked.length,
    answered: asked.length - unseen.length,
    lost: unseen.filter((number) => !uncertain.has(number) && !dead.has(number)),
    twice: asked.filter(isTwice),
    afterOrphan: asked.filter((number) => !isTwice(number) && (seen.get(number) ?? 0) > 1).length,
    disordered: conversations.filter((one) => !isInOrder(one)),
    uncertain: unseen.filter((number) => uncertain.has(number)).length,
    uncertainButSeen: asked.filter((number) => uncertain.has(number) && seen.has(number)).length,
    dead: unseen.filter((number) => dead.has(number) && !uncertain.has(number)).length,
    otherWords: all.filter(({ numbers }) => numbers.length === 0).length,
  };
}

/** By first sight; what is answered twice is another fault. */
function isInOrder({ asked, answers }: Conversation): boolean {
  const place = new Map(asked.map((number, index) => [number, index]));
  const places = [...timesOf(answers).keys()].map((number) => place.get(number) ?? -1);
  return places.every((at, index) => at > (places[index - 1] ?? -1));
}

function timesOf(answers: readonly Answer[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const number of answers.flatMap(({ numbers }) => numbers)) times.set(number, (times.get(number) ?? 0) + 1);
  return times;
}
