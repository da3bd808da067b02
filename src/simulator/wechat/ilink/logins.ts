import { randomBytes } from 'node:crypto';
import type { Bot, Person } from './model.ts';
import type { World } from './world.ts';

/** One QR code and how far somebody has come with it. */
export interface QrCode {
  readonly id: string;
  /** What the picture holds. */
  readonly content: string;
  readonly at: number;
  /** Tokens of former logins that the client knows. */
  readonly formerTokens: readonly string[];
  state: QrState;
}

export type QrState =
  | { readonly name: 'wait' | 'scaned' | 'expired' | 'verify_code_blocked' | 'binded_redirect' }
  | { readonly name: 'need_verifycode'; readonly by: Person; readonly number: string; wrong: number }
  | { readonly name: 'scaned_but_redirect'; readonly host: string }
  | { readonly name: 'confirmed'; readonly bot: Bot; readonly baseUrl: string };

const WRONG_MAX = 3;

/** The QR codes and what people do with them. */
export class Logins {
  readonly codes: QrCode[] = [];
  /** Scans and confirms every code at once, as this person. */
  auto: Person | undefined;
  readonly #world: World;
  readonly #baseUrl: () => string;
  readonly #listeners = new Set<() => void>();

  constructor(world: World, baseUrl: () => string) {
    this.#world = world;
    this.#baseUrl = baseUrl;
  }

  issue(formerTokens: readonly string[]): QrCode {
    const id = randomBytes(12).toString('hex');
    const content = `https://liteapp.weixin.qq.com/q/${id}`;
    const code: QrCode = { id, content, at: this.#world.now(), formerTokens, state: { name: 'wait' } };
    this.codes.push(code);
    if (this.auto !== undefined) this.confirm(code, this.auto);
    this.#changed();
    return code;
  }

  /** The newest code, once there is one in this state. */
  async code(state: QrState['name'] = 'wait', count = 1): Promise<QrCode> {
    const found = (): QrCode | undefined =>
      this.codes.length >= count && this.codes.at(-1)?.state.name === state ? this.codes.at(-1) : undefined;
    await this.#until(() => found() !== undefined);
    const code = found();
    if (code === undefined) throw new Error('the code has changed meanwhile');
    return code;
  }

  /** Calls back whenever a code has come or gone on; returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The bot that a person will have logged in; until then nothing reaches it. */
  reserve(owner: Person): Bot {
    return this.#world.login(owner);
  }

  scan(code: QrCode): void {
    this.#set(code, { name: 'scaned' });
  }

  /** The phone shows `number`, which has to be typed in at the other side. */
  askForNumber(code: QrCode, by: Person, number: string): void {
    this.#set(code, { name: 'need_verifycode', by, number, wrong: 0 });
  }

  confirm(code: QrCode, by: Person, baseUrl = this.#baseUrl()): Bot {
    const bot = this.#world.login(by);
    this.#set(code, { name: 'confirmed', bot, baseUrl });
    return bot;
  }

  expire(code: QrCode): void {
    this.#set(code, { name: 'expired' });
  }

  redirect(code: QrCode, host: string): void {
    this.#set(code, { name: 'scaned_but_redirect', host });
  }

  alreadyBound(code: QrCode): void {
    this.#set(code, { name: 'binded_redirect' });
  }

  /** A number was typed in. */
  typed(code: QrCode, number: string): void {
    if (code.state.name !== 'need_verifycode') return;
    if (code.state.number === number) this.confirm(code, code.state.by);
    else if (++code.state.wrong >= WRONG_MAX) this.#set(code, { name: 'verify_code_blocked' });
  }

  /** Resolves when the code's state is another than `name`, or when `signal` aborts. */
  async changedFrom(code: QrCode, name: QrState['name'], signal: AbortSignal): Promise<void> {
    await this.#until(() => code.state.name !== name || signal.aborted, signal);
  }

  #set(code: QrCode, state: QrState): void {
    code.state = state;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (condition()) resolve();
    };
    this.#listeners.add(check);
    signal?.addEventListener('abort', check, { once: true });
    await promise;
    signal?.removeEventListener('abort', check);
    this.#listeners.delete(check);
  }
}
