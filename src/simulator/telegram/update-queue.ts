import { conflict } from './api-error.ts';
import type { UpdateBody, WireUpdate } from './wire.ts';

/** Kinds that a bot gets only when it asks for them. Source: https://core.telegram.org/bots/api#getupdates */
const onRequest = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

const maxBatch = 100;

export interface PollRequest {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly allowed: readonly string[] | undefined;
  /** The poller went away. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly limit: number;
  resolve(updates: readonly WireUpdate[]): void;
  reject(error: Error): void;
}

/** The updates of one bot that it has not confirmed yet, and who waits for them. */
export class UpdateQueue {
  #pending: WireUpdate[] = [];
  /** Sent once more although they were confirmed; handed out by the next poll, whatever its offset. */
  #again: WireUpdate[] = [];
  #recent: WireUpdate[] = [];
  #held: UpdateBody[] | undefined;
  #nextId: number;
  #allowed: readonly string[] = [];
  #waiting: Waiting | undefined;
  #onArrival: (() => void) | undefined;

  constructor(firstId: number) {
    this.#nextId = firstId;
  }

  get pendingCount(): number {
    return this.#pending.length + this.#again.length;
  }

  /** The newest update's number; undefined before the first. */
  get newest(): number | undefined {
    return this.#recent.at(-1)?.update_id;
  }

  /** A webhook takes over: it is told of each arrival; undefined gives the updates back to polling. */
  set onArrival(listener: (() => void) | undefined) {
    this.#onArrival = listener;
    if (listener !== undefined) this.#waiting?.reject(conflict('terminated by setWebhook request'));
  }

  set allowed(kinds: readonly string[] | undefined) {
    if (kinds !== undefined) this.#allowed = kinds;
  }

  get allowed(): readonly string[] {
    return this.#allowed;
  }

  /** @returns the update's number, or undefined when the bot did not ask for this kind or updates are held back. */
  push(body: UpdateBody): number | undefined {
    const kind = Object.keys(body)[0] ?? '';
    const wanted = this.#allowed.length === 0 ? !onRequest.has(kind) : this.#allowed.includes(kind);
    if (!wanted) return undefined;
    if (this.#held !== undefined) {
      this.#held.push(body);
      return undefined;
    }
    const update = { update_id: this.#nextId++, ...body };
    this.#pending.push(update);
    this.#recent.push(update);
    if (this.#recent.length > 1000) this.#recent.shift();
    this.#arrived();
    return update.update_id;
  }

  /** Hands out an update once more, as happens when its confirmation got lost; the newest one by default. */
  redeliver(updateId?: number): void {
    const update =
      updateId === undefined ? this.#recent.at(-1) : this.#recent.find((seen) => seen.update_id === updateId);
    if (update === undefined) throw new Error(`There is no update ${updateId ?? ''} to deliver again`);
    this.#again.push(update);
    this.#arrived();
  }

  hold(): void {
    this.#held ??= [];
  }

  /** Ends holding back; what was held comes now, in the order that `arrange` gives it. */
  release(arrange: (held: readonly UpdateBody[]) => readonly UpdateBody[] = (held) => held): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const body of arrange(held)) this.push(body);
  }

  /** Numbers may start anywhere after a week without updates. */
  jumpTo(nextId: number): void {
    this.#nextId = nextId;
  }

  forgetAll(): void {
    this.#pending = [];
    this.#again = [];
  }

  /** getUpdates: confirms what is below `offset` and waits for more. A newer poll ends this one with 409. */
  async poll({ offset, limit, timeoutMs, allowed, signal }: PollRequest): Promise<readonly WireUpdate[]> {
    if (this.#onArrival !== undefined)
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    this.#waiting?.reject(
      conflict('terminated by other getUpdates request; make sure that only one bot instance is running'),
    );
    this.allowed = allowed;
    this.#confirm(offset);
    const batch = Math.min(Math.max(limit, 1), maxBatch);
    if (this.pendingCount > 0 || timeoutMs <= 0) return this.#take(batch);
    return this.#wait(batch, timeoutMs, signal);
  }

  /** What a webhook may deliver now; each is gone from the queue and must be given back when delivery fails. */
  shift(isFree: (update: WireUpdate) => boolean = () => true): WireUpdate | undefined {
    for (const queue of [this.#again, this.#pending]) {
      const index = queue.findIndex(isFree);
      if (index !== -1) return queue.splice(index, 1)[0];
    }
    return undefined;
  }

  giveBack(update: WireUpdate): void {
    this.#pending.unshift(update);
  }

  close(): void {
    this.#waiting?.resolve([]);
  }

  #confirm(offset: number): void {
    if (offset < 0) this.#pending = this.#pending.slice(offset);
    else if (offset > 0) this.#pending = this.#pending.filter((update) => update.update_id >= offset);
  }

  #take(limit: number): readonly WireUpdate[] {
    // What is not confirmed comes anyway, in its place.
    const again = this.#again.splice(0, limit).filter((update) => !this.#pending.includes(update));
    return [...again, ...this.#pending.slice(0, limit - again.length)];
  }

  async #wait(limit: number, timeoutMs: number, signal: AbortSignal): Promise<readonly WireUpdate[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly WireUpdate[]>();
    const waiting: Waiting = { limit, resolve, reject };
    const timer = setTimeout(() => resolve([]), timeoutMs);
    const leave = (): void => resolve([]);
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting = waiting;
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      if (this.#waiting === waiting) this.#waiting = undefined;
    }
  }

  #arrived(): void {
    const waiting = this.#waiting;
    if (this.#onArrival !== undefined) this.#onArrival();
    else if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve(this.#take(waiting.limit));
    }
  }
}
