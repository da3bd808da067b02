import { Lanes } from '../../../../src/channel/lanes.ts';

/** Where everything stands before it is known to which chat it belongs. */
const ENTRANCE = '\n';

/** Keeps what happens in a chat in order while things are looked up about it, and tells what goes wrong meanwhile. */
export class Lines {
  readonly #lanes = new Lanes();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Runs `job` after everything that was added to this chat before. */
  add(chat: string, job: () => Promise<void>): void {
    this.#lanes.run(chat, job).catch(this.#onError);
  }

  /** Looks something up, at the same time as others, but hands it on in the order in which it was asked for. */
  after<Found>(lookUp: () => Promise<Found>, handOn: (found: Found) => void): void {
    const found = lookUp();
    this.#lanes.run(ENTRANCE, async () => handOn(await found)).catch(this.#onError);
    found.catch(() => {}); // told where it is handed on
  }
}
