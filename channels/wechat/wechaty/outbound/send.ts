import { BoundedMap } from '../../../../src/base/bounded-map.ts';
import type { Clock } from '../../../../src/base/clock.ts';
import type { Document, OutgoingFile, SendOptions, SentMessage, Target } from '../../../../src/channel/port.ts';
import { safeFileName } from '../../../../src/format/safe-name.ts';
import { WECHATY_SENDS } from '../../limits.ts';
import { textOf } from '../../outbound/text.ts';
import type { Keeper } from '../session/keeper.ts';
import { callPeople } from './mention.ts';

/** Files whose caption is still to be sent. */
const FILES_REMEMBERED = 500;

/** Sends texts and files through the bot. */
export class Sending {
  readonly #keeper: Pick<Keeper, 'perform'>;
  readonly #clock: Clock;
  /** By the key of the delivery, the id of its file: a caption that failed is sent again without the file. */
  readonly #filesSent = new BoundedMap<string, string>(FILES_REMEMBERED);

  constructor(keeper: Pick<Keeper, 'perform'>, clock: Clock) {
    this.#keeper = keeper;
    this.#clock = clock;
  }

  async text({ chat, chatKind }: Target, document: Document, { key, signal }: SendOptions): Promise<SentMessage> {
    const people = new Set<string>();
    const text = textOf(document, 'plain', (parsed) => (chatKind === 'group' ? callPeople(parsed, people) : parsed));
    const { id } = await this.#keeper.perform({ kind: 'text', chat, text, mentions: [...people] }, signal);
    return { id: id ?? `sent:${key}` };
  }

  /** The caption follows as a text of its own: WeChat's files have none. */
  async file(target: Target, file: OutgoingFile, caption: string, options: SendOptions): Promise<SentMessage> {
    const { key, signal } = options;
    const { content } = file;
    const name = safeFileName(file.name, file.kind);
    let sent = this.#filesSent.get(key);
    if (sent === undefined) {
      const { id } = await this.#keeper.perform({ kind: 'file', chat: target.chat, name, content }, signal);
      sent = id ?? `sent:${key}`;
      this.#filesSent.set(key, sent);
    }
    if (caption.trim() === '') return { id: sent };
    await this.#clock.sleep(WECHATY_SENDS.windowMs, signal);
    await this.text(target, { markdown: caption }, { ...options, key: `${key}:caption` });
    return { id: sent };
  }
}
