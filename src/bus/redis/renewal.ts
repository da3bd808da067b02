import type { RedisClient } from './connection.ts';
import { list, number, text } from './reply.ts';
import type { Scripts } from './scripts.ts';

/** A run that this process holds, and the BullMQ job (with its lock's token) that it was woken by. */
export interface HeldRun {
  readonly thread: string;
  readonly token: string;
  readonly job: string;
  readonly lock: string;
}

/** What a renewal finds out about a run. */
export type RunNews =
  | { readonly kind: 'lost'; readonly thread: string; readonly token: string }
  /** A cancel (`stop`, `interrupt`) of a turn, or that something waits to `steer` it. */
  | { readonly kind: 'word'; readonly thread: string; readonly turn: number; readonly word: string };

/** The runs that a thread keeps, and the renewal of all of them in one step. */
export class Renewal {
  readonly #scripts: Scripts;
  readonly #client: RedisClient;
  readonly #leaseMs: number;
  readonly #onNews: (news: RunNews) => void;
  readonly #held = new Map<string, HeldRun>();
  #busy = false;

  constructor(scripts: Scripts, client: RedisClient, leaseMs: number, onNews: (news: RunNews) => void) {
    this.#scripts = scripts;
    this.#client = client;
    this.#leaseMs = leaseMs;
    this.#onNews = onNews;
  }

  get held(): readonly HeldRun[] {
    return [...this.#held.values()];
  }

  hold(run: HeldRun): void {
    this.#held.set(run.thread, run);
  }

  drop(thread: string, token: string): void {
    if (this.#held.get(thread)?.token === token) this.#held.delete(thread);
  }

  /** Never rejects. */
  async renew(): Promise<void> {
    if (this.#held.size === 0 || this.#busy) return;
    this.#busy = true;
    try {
      const runs = this.held.flatMap(({ thread, token, job, lock }) => [thread, token, job, lock]);
      for (const entry of list(await this.#scripts.run(this.#client, 'renew', this.#leaseMs, ...runs))) {
        const [thread, token, kind, turn, word] = list(entry);
        if (kind === 'lost') this.drop(text(thread), text(token));
        this.#onNews(
          kind === 'lost'
            ? { kind, thread: text(thread), token: text(token) }
            : { kind: 'word', thread: text(thread), turn: number(turn), word: text(word) },
        );
      }
    } catch {
      // Redis is away or refuses; the next round tries again, and the token guards every write meanwhile.
    } finally {
      this.#busy = false;
    }
  }
}
