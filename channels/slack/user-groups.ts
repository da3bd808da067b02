import { z } from 'zod';
import type { Clock } from '../../src/base/clock.ts';
import { singleFlight } from '../../src/channel/single-flight.ts';
import type { SlackApi } from './api.ts';
import { LOOKUP_TIMEOUT_MS } from './limits.ts';

/** Slack tells of changes where those events are subscribed, and to one replica only. */
const FRESH_MS = 300_000;

const groupsShape = z.looseObject({
  usergroups: z.array(z.looseObject({ id: z.string(), users: z.array(z.string()).catch([]) })),
});

interface Known {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly at: number;
}

/**
 * The user groups that people are in, e.g. `@ops`; those that were switched off count for nobody.
 * https://docs.slack.dev/reference/methods/usergroups.list
 */
export class UserGroups {
  readonly #api: SlackApi;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #fetch = singleFlight(() => this.#ask());
  #known: Known | undefined;
  /** Counts changes: an answer from before one is not kept. */
  #changes = 0;

  constructor(api: SlackApi, clock: Pick<Clock, 'now'>) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Rejects where Slack does not tell. */
  async of(user: string): Promise<readonly string[]> {
    const known = this.#known;
    const isFresh = known !== undefined && this.#clock.now() - known.at < FRESH_MS;
    return (isFresh ? known : await this.#fetch()).groups.get(user) ?? [];
  }

  /** Members, or groups, are not what they were. */
  forget(): void {
    this.#changes++;
    this.#known = undefined;
  }

  async #ask(): Promise<Known> {
    const changes = this.#changes;
    const options = { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS };
    const answer = await this.#api.call('usergroups.list', { include_users: true }, options);
    const groups = new Map<string, string[]>();
    for (const { id, users } of groupsShape.parse(answer).usergroups) {
      for (const user of users) groups.set(user, [...(groups.get(user) ?? []), id]);
    }
    const known = { groups, at: this.#clock.now() };
    if (changes === this.#changes) this.#known = known;
    return known;
  }
}
