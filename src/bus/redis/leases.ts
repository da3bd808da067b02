import { randomUUID } from 'node:crypto';
import { AntlerError } from '../../base/errors.ts';
import type { Lease, Leases } from '../port.ts';
import { unavailable } from './connection.ts';
import { runPromptly, type Wiring } from './wiring.ts';

interface Held {
  readonly name: string;
  readonly token: string;
  readonly lost: AbortController;
  readonly renewal: NodeJS.Timeout;
  /** Rings when the lease ends, unless it was renewed: on our clock that is before it is free in Redis. */
  end: NodeJS.Timeout;
}

/**
 * Leases are renewed from the main thread on purpose: a process that hangs does not serve its platform connection
 * either, and another one should have it.
 */
export class RedisLeases implements Leases {
  readonly #wiring: Wiring;
  readonly #held = new Set<Held>();

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const token = randomUUID();
    const lost = new AbortController();
    const askedAt = performance.now();
    try {
      const key = `${this.#wiring.base}lease:${name}`;
      if ((await this.#wiring.prompt.set(key, token, 'PX', ttlMs, 'NX')) === null) return null;
    } catch (thrown) {
      throw unavailable(thrown);
    }

    const endsAt = (start: number): NodeJS.Timeout =>
      setTimeout(() => this.#lose(held), Math.max(0, start + ttlMs - performance.now())).unref();
    const renew = async (): Promise<void> => {
      const start = performance.now();
      try {
        const isOurs = (await runPromptly(this.#wiring, 'lease', name, token, ttlMs)) === 1;
        if (!this.#held.has(held)) return;
        if (!isOurs) return this.#lose(held);
        clearTimeout(held.end);
        held.end = endsAt(start);
      } catch {
        // Redis is away. Whoever gets there first after it is back may have the lease: ours ends with its time.
      }
    };
    const renewal = setInterval(() => void renew(), ttlMs / 3).unref();
    const held: Held = { name, token, lost, renewal, end: endsAt(askedAt) };
    this.#held.add(held);
    return { lost: lost.signal, release: () => this.#release(held) };
  }

  #lose(held: Held): void {
    if (!this.#forget(held)) return;
    held.lost.abort(new AntlerError('fenced', `The lease ${held.name} has slipped away.`));
  }

  #forget(held: Held): boolean {
    clearInterval(held.renewal);
    clearTimeout(held.end);
    return this.#held.delete(held);
  }

  async #release(held: Held): Promise<void> {
    if (!this.#forget(held)) return;
    await runPromptly(this.#wiring, 'lease', held.name, held.token, 0).catch(() => {
      // It ends by itself with its time.
    });
  }

  /** Gives all back. */
  async close(): Promise<void> {
    const all = [...this.#held];
    await Promise.all(all.map((held) => this.#release(held)));
    for (const { lost, name } of all) lost.abort(new AntlerError('fenced', `The lease ${name} was given back.`));
  }
}
