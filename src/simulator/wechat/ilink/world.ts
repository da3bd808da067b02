import { randomBytes } from 'node:crypto';
import type { IlinkLimits } from './limits.ts';
import type { Bot, Chat, ChatMessage, Person } from './model.ts';

/** What people and bots notice. */
export type IlinkEvent =
  | { readonly type: 'message'; readonly chat: Chat; readonly message: ChatMessage }
  | { readonly type: 'recall'; readonly chat: Chat; readonly message: ChatMessage }
  | { readonly type: 'typing'; readonly chat: Chat; readonly shown: boolean }
  | { readonly type: 'queued' | 'ended'; readonly bot: Bot };

/** Ids begin beyond what a JavaScript number holds exactly, as WeChat's do. */
const FIRST_ID = 9_007_199_254_740_993n;

/** Everything there is: people, bots, their chats. */
export class World {
  readonly people: Person[] = [];
  readonly bots: Bot[] = [];
  readonly chats: Chat[] = [];
  readonly limits: IlinkLimits;
  readonly now: () => number;
  readonly #listeners = new Set<(event: IlinkEvent) => void>();
  #lastId = FIRST_ID;
  #lastPosition = 0;

  constructor(limits: IlinkLimits, now: () => number) {
    this.limits = limits;
    this.now = now;
  }

  addPerson(name: string): Person {
    const person = { id: `o9cq80${randomBytes(11).toString('hex')}@im.wechat`, name };
    this.people.push(person);
    return person;
  }

  /** The bot of a person; scanning again logs the same one in anew, and the former token is over. */
  login(owner: Person): Bot {
    const token = `bt_${randomBytes(18).toString('base64url')}`;
    const known = this.bots.find((bot) => bot.owner === owner);
    if (known !== undefined) {
      known.token = token;
      this.emit({ type: 'ended', bot: known });
      return known;
    }
    const bot: Bot = { id: `${randomBytes(6).toString('hex')}@im.bot`, owner, token, queue: [] };
    this.bots.push(bot);
    return bot;
  }

  chatOf(person: Person, bot: Bot): Chat {
    const known = this.chats.find((chat) => chat.person === person && chat.bot === bot);
    if (known !== undefined) return known;
    const chat: Chat = { bot, person, messages: [], contextToken: '', replies: 0, lastFromPersonAt: 0 };
    this.chats.push(chat);
    return chat;
  }

  nextId(): string {
    this.#lastId += 2n;
    return String(this.#lastId);
  }

  /** Puts a message, as JSON, into a bot's queue. */
  enqueue(bot: Bot, json: string): void {
    this.#lastPosition += 1;
    bot.queue.push({ position: this.#lastPosition, json });
    this.emit({ type: 'queued', bot });
  }

  emit(event: IlinkEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: IlinkEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
