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
  readonly #unsubscribe: () => void;
  #setAside: SetAside = { uncertain: new Set(), dead: new Set() };

  constructor({ telegram }: Platform, box: DeadLetterBox) {
    this.#box = box;
    this.#unsubscribe = telegram.events.subscribe((event) => {
      if ((event.type !== 'message' && event.type !== 'edit') || !event.message.from.isBot) return;
      if (event.type === 'message') this.answers += 1;
      for (const number of numbersIn(event.message.content.text))
        if (!this.answeredAt.has(number)) this.answeredAt.set(number, performance.now());
    });
  }

  /** As of the last look. */
  get setAside(): SetAside {
    return this.#setAside;
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
    this.#unsubscribe();
  }
}
