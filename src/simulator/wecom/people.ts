import { randomBytes } from 'node:crypto';
import { encryptBytes } from './crypto.ts';
import type { App, Bot, Chat, Message, Person, Push, SharedFile } from './model.ts';
import type { World } from './world.ts';

export interface SayOptions {
  /** Quotes a message. */
  readonly quoting?: Message;
}

/** What people do in WeCom: talk, send files, press, come. */
export class People {
  readonly #world: World;
  readonly #encrypted: Map<string, { readonly name: string; readonly content: Uint8Array }>;
  readonly #base: () => string;

  constructor(
    world: World,
    encrypted: Map<string, { readonly name: string; readonly content: Uint8Array }>,
    base: () => string,
  ) {
    this.#world = world;
    this.#encrypted = encrypted;
    this.#base = base;
  }

  /** Says something; in a group, a bot hears only what mentions it by `@name`. */
  say(person: Person, chat: Chat, text: string, { quoting }: SayOptions = {}): Message {
    const message = this.#world.post({ chat, from: person, text, ...(quoting === undefined ? {} : { quoting }) });
    const isHeard = chat.kind === 'dm' || text.includes(`@${chat.with.name}`);
    if (!isHeard) return message;
    const quote = quoting === undefined ? {} : { quote: this.#quoted(quoting) };
    if (chat.with.kind === 'bot')
      this.tell(chat, person, { msgtype: 'text', text: { content: text }, ...quote }, message.id);
    else this.tell(chat, person, { MsgType: 'text', Content: text }, message.id);
    return message;
  }

  /** Sends a file; people cannot write anything with it. */
  send(person: Person, chat: Chat, file: Omit<SharedFile, 'id'>): Message {
    const kept = this.#world.keep(file);
    const message = this.#world.post({ chat, from: person, text: '', file: kept });
    if (chat.with.kind === 'bot')
      this.tell(chat, person, { msgtype: kept.kind, ...this.#carried(chat.with, kept) }, message.id);
    else {
      const about = { MsgType: kept.kind, MediaId: kept.id, ...(kept.kind === 'file' ? { FileName: kept.name } : {}) };
      this.tell(chat, person, about, message.id);
    }
    return message;
  }

  /** Sends words and pictures in one message, to a bot. */
  sendMixed(person: Person, chat: Chat, parts: readonly (string | Uint8Array)[]): Message {
    const bot = chat.with as Bot;
    const items = parts.map((part) => {
      if (typeof part === 'string') return { msgtype: 'text', text: { content: part } };
      const kept = this.#world.keep({ kind: 'image', name: 'picture.png', content: part });
      return { msgtype: 'image', ...this.#carried(bot, kept) };
    });
    const message = this.#world.post({
      chat,
      from: person,
      text: parts.filter((part) => typeof part === 'string').join('\n'),
    });
    this.tell(chat, person, { msgtype: 'mixed', mixed: { msg_item: items } }, message.id);
    return message;
  }

  /** Speaks; WeCom writes down what was said. */
  speak(person: Person, chat: Chat, words: string): Message {
    const message = this.#world.post({ chat, from: person, text: words });
    if (chat.with.kind === 'bot') this.tell(chat, person, { msgtype: 'voice', voice: { content: words } }, message.id);
    else {
      const kept = this.#world.keep({ kind: 'voice', name: 'voice.amr', content: Buffer.from('#!AMR\n') });
      this.tell(chat, person, { MsgType: 'voice', MediaId: kept.id, Format: 'amr', Recognition: words }, message.id);
    }
    return message;
  }

  /** Opens the direct chat, or the app. */
  enter(person: Person, chat: Chat): void {
    if (chat.with.kind === 'bot') this.tell(chat, person, { msgtype: 'event', event: { eventtype: 'enter_chat' } });
    else this.tell(chat, person, { MsgType: 'event', Event: 'enter_agent', EventKey: '' });
  }

  /** Presses the button with this label. */
  press(person: Person, message: Message, label: string): void {
    const { card, chat } = message;
    const button = card?.buttons.find(({ text }) => text === label);
    if (card === undefined || button === undefined || card.replaced !== undefined)
      throw new Error(`There is no button “${label}” on this message`);
    const about = { card_type: 'button_interaction', event_key: button.key, task_id: card.taskId };
    if (chat.with.kind === 'bot')
      this.tell(chat, person, {
        msgtype: 'event',
        event: { eventtype: 'template_card_event', template_card_event: about },
      });
    else
      this.tell(chat, person, {
        MsgType: 'event',
        ...{ Event: 'template_card_event', EventKey: button.key, TaskId: card.taskId },
        ...{ CardType: 'button_interaction', ResponseCode: `PRESS_${card.taskId}` },
      });
  }

  /** Says of a growing answer that it helped, or not. */
  feedback(person: Person, message: Message, type: 1 | 2 | 3, content = ''): void {
    const about = { id: message.stream?.id, type, content };
    this.tell(message.chat, person, {
      msgtype: 'event',
      event: { eventtype: 'feedback_event', feedback_event: about },
    });
  }

  /** Tells the bot or app anything, in the platform's words; who, where and when are added. */
  tell(chat: Chat, person: Person, words: Readonly<Record<string, unknown>>, id = this.#world.id('CAIQ')): Push {
    const { with: to } = chat;
    const push: Push = {
      to,
      chat,
      body: {
        ...(to.kind === 'bot' ? this.#botBody(to, chat, person, id) : this.#appBody(to, person, id, words)),
        ...words,
      },
    };
    this.#world.pushes.emit(push);
    return push;
  }

  #botBody(bot: Bot, chat: Chat, person: Person, id: string): Record<string, unknown> {
    return {
      msgid: id,
      aibotid: bot.id,
      chattype: chat.kind === 'group' ? 'group' : 'single',
      ...(chat.kind === 'group' ? { chatid: chat.id } : {}),
      from: { userid: person.userId },
      create_time: Math.floor(this.#world.now() / 1_000),
    };
  }

  #appBody(app: App, person: Person, id: string, words: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return {
      ToUserName: app.corpId,
      FromUserName: person.userId,
      CreateTime: Math.floor(this.#world.now() / 1_000),
      ...(words.MsgType === 'event' ? {} : { MsgId: id }),
      AgentID: Number(app.agentId),
    };
  }

  #quoted({ text, file, chat }: Message): object {
    if (file === undefined) return { msgtype: 'text', text: { content: text } };
    return { msgtype: file.kind, ...this.#carried(chat.with as Bot, file) };
  }

  /** Where a file can be had, encrypted: over the long connection under a key of its own, else under the callback's. */
  #carried(bot: Bot, file: SharedFile): object {
    const own = bot.url === undefined ? randomBytes(32).toString('base64').slice(0, 43) : undefined;
    const id = randomBytes(12).toString('hex');
    this.#encrypted.set(id, { name: file.name, content: encryptBytes(file.content, own ?? bot.aesKey) });
    const url = `${this.#base()}/download/${id}?sign=${id.slice(0, 6)}`;
    return { [file.kind]: { url, ...(own === undefined ? {} : { aeskey: own }) } };
  }
}
