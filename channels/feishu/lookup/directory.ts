import { z } from 'zod';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { OpenApi } from '../api.ts';
import { soon } from './soon.ts';

const PEOPLE_MAX = 5_000;
const CHATS_MAX = 2_000;
const KNOWN_MS = 3_600_000;
/** People of other tenants and people outside of the app's contact range have no name for us; asked again later. */
const UNKNOWN_MS = 600_000;

export interface ChatInfo {
  readonly kind: 'dm' | 'group';
  readonly title: string | undefined;
}

interface Entry<Value> {
  readonly value: Promise<Value | undefined>;
  until: number;
}

const userShape = z.object({ data: z.object({ user: z.object({ name: z.string().min(1) }) }) });
const chatShape = z.object({ data: z.object({ name: z.string().catch(''), chat_mode: z.string().catch('group') }) });

/** The names that are known, or can be had in time. Nothing here rejects. */
export interface Names {
  /** A name that an event told. */
  learn(openId: string, name: string): void;
  of(openId: string): Promise<string | undefined>;
  chat(id: string): Promise<ChatInfo | undefined>;
}

/** Names of people and titles of groups, which events do not tell; kept for an hour, and asked for once at a time. */
export class Directory {
  readonly #api: OpenApi;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #people = new BoundedMap<string, Entry<string>>(PEOPLE_MAX);
  readonly #chats = new BoundedMap<string, Entry<ChatInfo>>(CHATS_MAX);

  constructor(api: OpenApi, clock: Pick<Clock, 'now'>) {
    this.#api = api;
    this.#clock = clock;
  }

  /** What is not told before `signal` aborts is not known; the answer is kept for the next time. */
  until(signal: AbortSignal): Names {
    return {
      learn: (openId, name) => {
        if (openId === '' || name === '') return;
        this.#people.set(openId, { value: Promise.resolve(name), until: this.#clock.now() + KNOWN_MS });
      },
      of: (openId) => soon(this.#nameOf(openId), signal),
      chat: (id) => soon(this.#chat(id), signal),
    };
  }

  #nameOf(openId: string): Promise<string | undefined> {
    return this.#find(this.#people, openId, async () => {
      const path = `/contact/v3/users/${encodeURIComponent(openId)}`;
      const answer = await this.#api.call('GET', path, { query: { user_id_type: 'open_id' }, idempotent: true });
      return userShape.parse(answer).data.user.name;
    });
  }

  #chat(id: string): Promise<ChatInfo | undefined> {
    return this.#find(this.#chats, id, async () => {
      const answer = await this.#api.call('GET', `/im/v1/chats/${encodeURIComponent(id)}`, { idempotent: true });
      const { name, chat_mode: mode } = chatShape.parse(answer).data;
      return { kind: mode === 'p2p' ? 'dm' : 'group', title: name === '' ? undefined : name };
    });
  }

  #find<Value>(
    kept: BoundedMap<string, Entry<Value>>,
    id: string,
    ask: () => Promise<Value>,
  ): Promise<Value | undefined> {
    const now = this.#clock.now();
    const known = kept.get(id);
    if (known !== undefined && known.until > now) return known.value;
    const value = ask().catch(() => {
      entry.until = this.#clock.now() + UNKNOWN_MS;
      return undefined;
    });
    const entry: Entry<Value> = { value, until: now + KNOWN_MS };
    kept.set(id, entry);
    return value;
  }
}
