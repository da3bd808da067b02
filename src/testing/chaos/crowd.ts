import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from './plan.ts';
import type { Platform } from './platform.ts';
import type { Room } from './side.ts';
import type { Tally } from './tally.ts';

/** What people have said so far. Numbers are unique over all chats. */
export class Crowd {
  readonly asked: ReadonlyMap<Room, number[]>;
  readonly askedAt = new Map<number, number>();
  redelivered = 0;
  readonly #tally: Pick<Tally, 'hasSettled' | 'settled'>;
  readonly #plan: Plan;
  readonly #signal: AbortSignal;

  constructor({ rooms }: Platform, plan: Plan, tally: Pick<Tally, 'hasSettled' | 'settled'>, signal: AbortSignal) {
    this.#tally = tally;
    this.#plan = plan;
    this.#signal = signal;
    this.asked = new Map(rooms.map((room) => [room, []]));
  }

  /** Questions that nothing has become of yet. */
  get unanswered(): number {
    return this.askedAt.size - this.#tally.settled;
  }

  /** People write a few messages in a row, in many chats at once, until all is said or the storm is over. */
  async talk(): Promise<void> {
    const silent = [...this.asked.keys()];
    const talking = new Set<Promise<void>>();
    while (silent.length > 0 && !this.#signal.aborted) {
      if (this.unanswered >= this.#plan.unanswered) {
        await this.#rest(20);
        continue;
      }
      const [room] = silent.splice(Math.floor(Math.random() * silent.length), 1);
      if (room === undefined) break;
      const talk = this.#burst(room).then((more) => {
        talking.delete(talk);
        if (more) silent.push(room);
      });
      talking.add(talk);
      // Those who are about to write more count as unanswered soon; without a pause all would begin at once.
      await this.#rest(2);
      while (silent.length === 0 && talking.size > 0) await Promise.race(talking);
    }
    await Promise.all(talking);
  }

  /** @returns whether the chat has more to say. */
  async #burst(room: Room): Promise<boolean> {
    const { messagesPerChat } = this.#plan;
    const asked = this.asked.get(room) ?? [];
    const most = room.takesTurns ? 1 : 6;
    const length = Math.min(1 + Math.floor(Math.random() * most), messagesPerChat - asked.length);
    for (let count = 0; count < length && !this.#signal.aborted; count++) {
      const number = this.askedAt.size;
      asked.push(number);
      this.askedAt.set(number, performance.now());
      room.ask(number);
      if (Math.random() < this.#plan.redelivered) this.#redeliver(room);
      while (room.takesTurns && !this.#tally.hasSettled(number) && !this.#signal.aborted) await this.#rest(50);
      await this.#rest(Math.random() * 300);
    }
    return asked.length < messagesPerChat;
  }

  /** The same update once more: at once, or when it has long been confirmed. */
  #redeliver(room: Room): void {
    const again = room.newestAgain();
    if (again === undefined) return;
    this.redelivered += 1;
    setTimeout(again, Math.random() < 0.5 ? 0 : Math.random() * 10_000);
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal }).catch(() => {}); // the storm is over
  }
}
