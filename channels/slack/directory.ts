import { z } from 'zod';
import { BoundedMap } from '../../src/base/bounded-map.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { SlackApi } from './api.ts';
import { reasonOf } from './errors.ts';
import { LOOKUP_TIMEOUT_MS } from './limits.ts';
import type { Names, Profile } from './normalize/index.ts';

/** Names change rarely, and Slack tells when they do. */
const FRESH_MS = 3_600_000;
/** What could not be found out is asked for again after this. */
const FAILED_MS = 60_000;
const USERS_MOST = 5_000;
const CHANNELS_MOST = 2_000;
const GROUPS_MOST = 2_000;
/** A group that is not among them may be new: then they are asked for again, after this. */
const GROUPS_ASKED_MS = 60_000;

const userShape = z.looseObject({
  user: z.looseObject({
    name: z.string().catch(''),
    real_name: z.string().optional().catch(undefined),
    is_bot: z.boolean().catch(false),
    locale: z.string().optional().catch(undefined),
    profile: z
      .looseObject({ display_name: z.string().catch(''), real_name: z.string().catch('') })
      .catch({ display_name: '', real_name: '' }),
  }),
});

const channelShape = z.looseObject({ channel: z.looseObject({ name: z.string() }) });

const groupsShape = z.looseObject({ usergroups: z.array(z.looseObject({ id: z.string(), handle: z.string() })) });

interface Groups {
  readonly handles: ReadonlyMap<string, string>;
  /** When their names may have changed. */
  readonly freshUntil: number;
  /** Until when it is of no use to ask for one that is not among them. */
  readonly askedUntil: number;
}

interface Entry<Value> {
  readonly value: Value | undefined;
  readonly until: number;
}

/** Who and what is behind Slack's ids. A message never fails, and hardly waits, for want of a name. */
export class Directory implements Names {
  readonly #api: SlackApi;
  readonly #clock: Clock;
  readonly #users = new BoundedMap<string, Entry<Profile>>(USERS_MOST);
  readonly #channels = new BoundedMap<string, Entry<string>>(CHANNELS_MOST);
  #groups: Groups = { handles: new Map(), freshUntil: 0, askedUntil: 0 };

  constructor(api: SlackApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  user(id: string): Profile | undefined {
    return this.#users.get(id)?.value;
  }

  channel(id: string): string | undefined {
    return this.#channels.get(id)?.value;
  }

  group(id: string): string | undefined {
    return this.#groups.handles.get(id);
  }

  /** Looks up what is not known yet, all at once, for a second at most. */
  async lookUp(ids: Readonly<Record<'users' | 'channels' | 'groups', Iterable<string>>>): Promise<void> {
    const now = this.#clock.now();
    const isStale = (entry: Entry<unknown> | undefined): boolean => entry === undefined || entry.until <= now;
    await Promise.all([
      ...[...new Set(ids.users)].filter((id) => isStale(this.#users.get(id))).map((id) => this.#fetchUser(id)),
      ...[...new Set(ids.channels)].filter((id) => isStale(this.#channels.get(id))).map((id) => this.#fetchChannel(id)),
      ...(this.#needsGroups([...ids.groups], now) ? [this.#fetchGroups()] : []),
    ]);
  }

  /** What is known of a user or a channel is no longer true. */
  forget(id: unknown): void {
    if (typeof id !== 'string') return;
    this.#users.delete(id);
    this.#channels.delete(id);
  }

  async #fetchUser(id: string): Promise<void> {
    const found = await this.#ask('users.info', { user: id, include_locale: true });
    const answer = userShape.safeParse(found.answer);
    if (!answer.success) return this.#users.set(id, this.#entry(this.user(id), found.lasts));
    const { profile, real_name: realName, name, is_bot: isBot, locale } = answer.data.user;
    const shown = [profile.display_name, realName, profile.real_name, name].find((candidate) => candidate);
    this.#users.set(
      id,
      this.#entry({ name: shown ?? id, isBot, ...(locale === undefined ? {} : { language: locale }) }, found.lasts),
    );
  }

  async #fetchChannel(id: string): Promise<void> {
    const found = await this.#ask('conversations.info', { channel: id });
    const answer = channelShape.safeParse(found.answer);
    this.#channels.set(id, this.#entry(answer.success ? answer.data.channel.name : this.channel(id), found.lasts));
  }

  #needsGroups(ids: readonly string[], now: number): boolean {
    const { handles, freshUntil, askedUntil } = this.#groups;
    return ids.some((id) => (handles.has(id) ? freshUntil : askedUntil) <= now);
  }

  /** Groups come all at once or not at all. */
  async #fetchGroups(): Promise<void> {
    const found = await this.#ask('usergroups.list', {});
    const answer = groupsShape.safeParse(found.answer);
    const handles = new Map(
      (answer.data?.usergroups ?? []).slice(0, GROUPS_MOST).map(({ id, handle }) => [id, handle]),
    );
    const now = this.#clock.now();
    this.#groups = {
      handles: answer.success ? handles : this.#groups.handles,
      freshUntil: now + found.lasts,
      askedUntil: now + (answer.success ? GROUPS_ASKED_MS : found.lasts),
    };
  }

  #entry<Value>(value: Value | undefined, lastsMs: number): Entry<Value> {
    return { value, until: this.#clock.now() + lastsMs };
  }

  async #ask(method: string, args: Readonly<Record<string, unknown>>): Promise<{ answer: unknown; lasts: number }> {
    try {
      const answer = await this.#api.call(method, args, { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS });
      return { answer, lasts: FRESH_MS };
    } catch (error) {
      // People of other organisations cannot be looked up, nor can anybody without the scope: no use in asking again soon.
      const isFinal = reasonOf(error) !== undefined && reasonOf(error) !== 'ratelimited';
      return { answer: undefined, lasts: isFinal ? FRESH_MS : FAILED_MS };
    }
  }
}
