import { setTimeout as sleep } from 'node:timers/promises';
import { tagged } from '../bench/stage.ts';
import type { Plan } from './plan.ts';
import type { Platform, Room } from './platform.ts';

/** What people have said so far. Numbers are unique over all chats. */
export class Crowd {
  readonly asked: ReadonlyMap<Room, number[]>;
  readonly askedAt = new Map<number, number>();
  redelivered = 0;
  readonly #platform: Platform;
  readonly #plan: Plan;
  readonly #signal: AbortSignal;

  constructor(platform: Platform, plan: Plan, signal: AbortSignal) {
    this.#platform = platform;
    this.#plan = plan;
    this.#signal = signal;
    this.asked = new Map(platform.rooms.map((room) => [room, []]));
  }

  /** People write a few messages in a row, in many chats at once, until all is said or the storm is over. */
  async talk(unanswered: () => number): Promise<void> {
    const silent = [...this.asked.keys()];
    const talking = new Set<Promise<void>>();
    while (silent.length > 0 && !this.#signal.aborted) {
      if (unanswered() >= this.#plan.unanswered) {
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
    const length = Math.min(1 + Math.floor(Math.random() * 6), messagesPerChat - asked.length);
    for (let count = 0; count < length && !this.#signal.aborted; count++) {
      const number = this.askedAt.size;
      asked.push(number);
      this.askedAt.set(number, performance.now());
      this.#say(room, number);
      await this.#rest(Math.random() * 300);
    }
    return asked.length < messagesPerChat;
  }

  #say({ chat, bot, people }: Room, number: number): void {
    const speaker = people[number % people.length];
    if (speaker === undefined) return;
    const mention = chat.kind === 'private' ? '' : `@${bot.user.username} `;
    this.#platform.telegram.people.say(speaker, chat, `${mention}${tagged(number)}`);
    if (Math.random() < this.#plan.redelivered) this.#redeliver(bot);
  }

  /** The same update once more: at once, or when it has long been confirmed. */
  #redeliver({ updates }: Room['bot']): void {
    const update = updates.newest;
    if (update === undefined) return;
    this.redelivered += 1;
    setTimeout(() => updates.redeliver(update), Math.random() < 0.5 ? 0 : Math.random() * 10_000);
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal }).catch(() => {}); // the storm is over
  }
}
