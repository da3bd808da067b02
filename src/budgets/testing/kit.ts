import type { Clock } from '../../base/clock.ts';
import type { ThreadKey } from '../../base/ids.ts';
import type { Role } from '../../base/roles.ts';
import type { BudgetPolicy, LimitSettings, Scope } from '../port.ts';

interface Parts extends Partial<Record<Scope, LimitSettings>> {
  readonly byRole?: Partial<Record<Role, LimitSettings>>;
  readonly users?: Readonly<Record<string, LimitSettings>>;
  readonly chats?: ReadonlyMap<ThreadKey, LimitSettings>;
  readonly channels?: ReadonlyMap<string, LimitSettings>;
  readonly assistants?: ReadonlyMap<string, LimitSettings>;
  readonly exempt?: readonly Role[];
  readonly timeZone?: string;
}

/** A policy that says this and nothing else. */
export function policyWith(parts: Parts): BudgetPolicy {
  const { person = {}, chat = {}, channel = {}, assistant = {}, users = {}, byRole = {} } = parts;
  const { chats = new Map(), channels = new Map(), assistants = new Map(), exempt = [], timeZone = 'UTC' } = parts;
  return {
    defaults: { person, chat, channel, assistant },
    byRole,
    overrides: { users: new Map(Object.entries(users)), chats, channels, assistants },
    exempt,
    timeZone,
  };
}

/** A clock that stands until it is moved; who sleeps is woken when their time has come. */
export class StandingClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { until: this.#now + ms, wake: resolve };
    this.#sleepers.add(sleeper);
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      this.#sleepers.delete(sleeper);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  to(moment: number): void {
    this.#now = moment;
    for (const { until, wake } of this.#sleepers) if (until <= moment) wake();
  }
}
