import type { Platform } from './platform.ts';
import { type DeadLetterBox, numbersIn } from './set-aside.ts';
import type { SetAside } from './verdict.ts';

/** What has become of the questions so far, as people and admins can see it. */
export class Tally {
  /** When each number was first answered, on `performance.now()`. */
  readonly answeredAt = new Map<number, number>();
  /** Messages that the bots have sent. */
  answers = 0;
  readonly #box: DeadLetterBox;
  readonly #unsubscribe: readonly (() => void)[];
  #setAside: SetAside = { uncertain: new Set(), dead: new Set() };

  constructor({ sides }: Platform, box: DeadLetterBox) {
    this.#box = box;
    const hear = (text: string, isNew: boolean): void => {
      if (isNew) this.answers += 1;
      for (const number of numbersIn(text))
        if (!this.answeredAt.has(number)) this.answeredAt.set(number, performance.now());
    };
    this.#unsubscribe = sides.map((side) => side.hear(hear));
  }

  /** As of the last look. */
  get setAside(): SetAside {
    return this.#setAside;
  }

  /** It was answered or set aside. */
  hasSettled(number: number): boolean {
    const { uncertain, dead } = this.#setAside;
    return this.answeredAt.has(number) || uncertain.has(number) || dead.has(number);
  }

  /** Numbers that were answered or set aside. */
  get settled(): number {
    const { uncertain, dead } = this.#setAside;
    const unanswered = [...new Set([...uncertain, ...dead])].filter((number) => !this.answeredAt.has(number));
    return this.answeredAt.size + unanswered.length;
  }

  /** Looks into the dead letters; while Redis is away, what was seen last holds. */
  async look(): Promise<void> {
    this.#setAside = await this.#box.read().catch(() => this.#setAside);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }
}
