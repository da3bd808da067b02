import { createHash, randomBytes } from 'node:crypto';
import { encrypted, type Files } from './files.ts';
import type { Bot, Chat, ChatMessage, FileKind, Person } from './model.ts';
import type { World } from './world.ts';

export interface SayOptions {
  readonly file?: NewFile;
  readonly quoting?: ChatMessage;
  /** Older apps send what is quoted along, newer ones only its id. Default: only the id. */
  readonly quoteWhole?: boolean;
  /** Quotes only this part of it. */
  readonly quotePart?: string;
  /** When it was said; default: now. */
  readonly at?: number;
}

export interface NewFile {
  readonly kind: FileKind;
  readonly name: string;
  readonly content: Uint8Array;
  /** What WeChat understood of a voice. */
  readonly transcript?: string;
  /** How the key is spelt. Default: `hex` for pictures, `base64-hex` for all others. */
  readonly key?: 'hex' | 'base64-hex' | 'base64-raw' | 'none';
  /** Gives the whole address instead of what stands for the file. */
  readonly fullUrl?: boolean;
}

export interface PeopleOptions {
  readonly world: World;
  readonly files: Files;
  readonly cdnUrl: () => string;
}

/** Stands in JSON for a number that JavaScript cannot hold; `wire` takes its quotes away. */
const big = (digits: string): string => `uint64:${digits}`;
const wire = (value: unknown): string => JSON.stringify(value).replace(/"uint64:(\d+)"/g, '$1');

const KIND = { text: 1, image: 2, voice: 3, file: 4, video: 5 } as const;

/** What people do on their phones. */
export class People {
  readonly #options: PeopleOptions;
  #seq = 0;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** Says something to a bot; with a file, both are one message. */
  say(person: Person, bot: Bot, text: string, options: SayOptions = {}): ChatMessage {
    const { world } = this.#options;
    const chat = world.chatOf(person, bot);
    const { file, quoting } = options;
    const message: ChatMessage = {
      id: world.nextId(),
      from: person,
      fromBot: false,
      at: options.at ?? world.now(),
      text: text === '' && file?.transcript !== undefined ? file.transcript : text,
      ...(file === undefined ? {} : { file: { kind: file.kind, name: file.name, content: file.content } }),
      ...(quoting === undefined ? {} : { quoting }),
    };
    chat.messages.push(message);
    chat.contextToken = `ctx_${randomBytes(12).toString('base64')}`;
    chat.replies = 0;
    chat.lastFromPersonAt = world.now();
    world.emit({ type: 'message', chat, message });
    const reference = quoting === undefined ? {} : { ref_msg: referenceTo(quoting, options) };
    const items = [
      ...(text === '' && file !== undefined ? [] : [{ type: KIND.text, text_item: { text } }]),
      ...(file === undefined ? [] : [this.#fileItem(file)]),
    ].map((item, index) => ({ ...item, msg_id: big(message.id), ...(index === 0 ? reference : {}) }));
    this.#queue(chat, message, { item_list: items });
    return message;
  }

  /** Takes a message back. */
  recall(message: ChatMessage): void {
    const { world } = this.#options;
    const chat = world.chats.find(({ messages }) => messages.includes(message));
    if (chat === undefined) throw new Error('nobody has said this');
    message.recalledAt = world.now();
    world.emit({ type: 'recall', chat, message });
    this.#queue(chat, message, { delete_time_ms: message.recalledAt, item_list: [] });
  }

  /** Gives a bot a message as it is; `uint64:123` in a text becomes a bare number. */
  inject(bot: Bot, message: Readonly<Record<string, unknown>>): void {
    this.#options.world.enqueue(bot, wire(message));
  }

  /** Delivers the newest message to a bot once more. */
  redeliver(bot: Bot): void {
    const newest = bot.queue.at(-1);
    if (newest !== undefined) this.#options.world.enqueue(bot, newest.json);
  }

  #queue({ bot, person, contextToken }: Chat, message: ChatMessage, more: object): void {
    this.#seq += 1;
    const body = {
      seq: this.#seq,
      message_id: big(message.id),
      from_user_id: person.id,
      to_user_id: bot.id,
      create_time_ms: Math.floor(message.at),
      message_type: 1,
      message_state: 2,
      context_token: contextToken,
      ...more,
    };
    this.#options.world.enqueue(bot, wire(body));
  }

  #fileItem({ kind, name, content, transcript, key: spelling, fullUrl }: NewFile): object {
    const { files, cdnUrl } = this.#options;
    const key = randomBytes(16);
    const spelt = spelling ?? (kind === 'image' ? 'hex' : 'base64-hex');
    const param = files.store(spelt === 'none' ? Buffer.from(content) : encrypted(content, key));
    const media = {
      ...(fullUrl === true
        ? { full_url: `${cdnUrl()}/download?encrypted_query_param=${encodeURIComponent(param)}` }
        : { encrypt_query_param: param }),
      ...(spelt === 'base64-raw' ? { aes_key: key.toString('base64') } : {}),
      ...(spelt === 'base64-hex' ? { aes_key: Buffer.from(key.toString('hex')).toString('base64') } : {}),
      // Beside a key in hexadecimal stands one that is of no use.
      ...(spelt === 'hex' ? { aes_key: randomBytes(16).toString('base64') } : {}),
    };
    switch (kind) {
      case 'image':
        return { type: KIND.image, image_item: { media, ...(spelt === 'hex' ? { aeskey: key.toString('hex') } : {}) } };
      case 'voice':
        return {
          type: KIND.voice,
          voice_item: {
            media,
            encode_type: 6,
            playtime: 1_000,
            ...(transcript === undefined ? {} : { text: transcript }),
          },
        };
      case 'file':
        return { type: KIND.file, file_item: { media, file_name: name, len: String(content.length) } };
      case 'video':
        return { type: KIND.video, video_item: { media, video_size: content.length } };
      default:
        return kind satisfies never;
    }
  }
}

function referenceTo(quoted: ChatMessage, { quoteWhole, quotePart }: SayOptions): object {
  const whole = {
    title: quoted.text,
    message_item: { type: KIND.text, msg_id: big(quoted.id), text_item: { text: quoted.text } },
  };
  return {
    svr_id: big(quoted.id),
    ...(quoteWhole === true ? whole : {}),
    ...(quotePart === undefined ? {} : { partial_text: partOf(quoted.text, quotePart) }),
  };
}

function partOf(text: string, part: string): object {
  const occurrence = (needle: string, at: number): number => text.slice(0, at).split(needle).length - 1;
  const from = text.indexOf(part);
  if (from < 0) throw new Error(`the message does not contain “${part}”`);
  const start = part.slice(0, 2);
  const end = part.slice(-2);
  return {
    start,
    end,
    startindex: occurrence(start, from),
    endindex: occurrence(end, from + part.length - end.length),
    quotemd5: createHash('md5').update(part).digest('hex'),
  };
}
