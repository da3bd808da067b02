import { z } from 'zod';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import type { OpenApi } from '../api.ts';
import { LOOKUP_BUDGET_MS } from '../limits.ts';

const FRESH_MS = 300_000;
const PEOPLE_MAX = 5_000;
const DEPARTMENTS_MAX = 2_000;
/** Of which one person can be a member; more are not worth the calls. */
const MEMBER_OF_MOST = 10;
const PARENTS_MOST = 50;
/** Everybody's; given by the platform to those who are in no department. */
const ROOT = '0';

const userShape = z.looseObject({
  data: z.looseObject({ user: z.looseObject({ department_ids: z.array(z.string()).optional() }) }),
});
const parentsShape = z.looseObject({
  data: z.looseObject({
    items: z.array(z.looseObject({ open_department_id: z.string().optional() })).default([]),
  }),
});

interface Kept {
  readonly ids: readonly string[];
  readonly at: number;
}

/**
 * The departments that people are in (`od-…`), with those above them as far as the app may see them.
 * https://open.feishu.cn/document/server-docs/contact-v3/user/get,
 * https://open.feishu.cn/document/server-docs/contact-v3/department/parent
 */
export class Departments {
  readonly #api: OpenApi;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ofPeople = new BoundedMap<string, Kept>(PEOPLE_MAX);
  readonly #above = new BoundedMap<string, Kept>(DEPARTMENTS_MAX);

  constructor(api: OpenApi, clock: Pick<Clock, 'now'>) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Rejects where Feishu does not tell. */
  async of(openId: string): Promise<readonly string[]> {
    const direct = await this.#kept(this.#ofPeople, openId, () => this.#ask(openId));
    const above = await Promise.all(direct.map((id) => this.#parentsOf(id)));
    return [...new Set([...direct, ...above.flat()])];
  }

  async #ask(openId: string): Promise<readonly string[]> {
    const query = { user_id_type: 'open_id', department_id_type: 'open_department_id' };
    const answer = await this.#get(`/contact/v3/users/${encodeURIComponent(openId)}`, query);
    const ids = userShape.parse(answer).data.user.department_ids;
    if (ids === undefined)
      throw new AntlerError(
        'forbidden',
        'Feishu tells no departments: the app lacks contact:user.department:readonly.',
      );
    return ids.filter((id) => id !== ROOT).slice(0, MEMBER_OF_MOST);
  }

  /** None where the app may not see them: the department itself is certain. */
  #parentsOf(id: string): Promise<readonly string[]> {
    return this.#kept(this.#above, id, async () => {
      const query = {
        ...{ department_id: id, department_id_type: 'open_department_id', page_size: String(PARENTS_MOST) },
        user_id_type: 'open_id',
      };
      const { items } = parentsShape.parse(await this.#get('/contact/v3/departments/parent', query)).data;
      return items.flatMap(({ open_department_id: above }) => above ?? []);
    }).catch(() => []);
  }

  #get(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#api.call('GET', path, { query, idempotent: true, timeoutMs: LOOKUP_BUDGET_MS });
  }

  async #kept(
    kept: BoundedMap<string, Kept>,
    key: string,
    ask: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const known = kept.get(key);
    const now = this.#clock.now();
    if (known !== undefined && now - known.at < FRESH_MS) return known.ids;
    const ids = await ask();
    kept.set(key, { ids, at: now });
    return ids;
  }
}
