import { silentLogger } from '../../base/logger.ts';
import type { DeadLetter, MessageBus } from '../../bus/port.ts';
import { createRedisBus } from '../../bus/redis/index.ts';
import { tagsIn } from '../bench/stage.ts';
import type { SetAside } from './verdict.ts';

const MOST_LETTERS = 100_000;

/** Looks into the dead letters, as an admin does. */
export class DeadLetterBox {
  readonly #bus: MessageBus;

  private constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  static async open(redisUrl: string): Promise<DeadLetterBox> {
    return new DeadLetterBox(await createRedisBus({ url: redisUrl, log: silentLogger }));
  }

  /** @throws while Redis is away. */
  async read(): Promise<SetAside> {
    const letters = await this.#bus.deadLetters.list(MOST_LETTERS);
    const numbers = (of: (letter: DeadLetter) => boolean): ReadonlySet<number> =>
      new Set(letters.filter(of).flatMap((letter) => numbersIn(JSON.stringify(letter.content))));
    return {
      uncertain: numbers(({ kind }) => kind === 'uncertain'),
      dead: numbers(({ kind }) => kind !== 'uncertain'),
    };
  }

  async close(): Promise<void> {
    await this.#bus.close({ graceMs: 0 });
  }
}

/** The numbers of the questions that a text asks or answers. */
export const numbersIn = (text: string): number[] => tagsIn(text).map((tag) => Number(tag.slice(1)));
