import { languageOf, say } from '../../src/base/sentences.ts';
import { pressedValue } from '../../src/channel/kept-values.ts';
import type { InboundMessage } from '../../src/channel/message.ts';
import type { AdapterContext } from '../../src/channel/port.ts';
import { AlbumBook } from './album-book.ts';
import type { BotApi, BotIdentity } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { CALLBACK_DATA_MAX_BYTES } from './limits.ts';
import type { Moves } from './moves.ts';
import type { AlbumPart } from './normalize/album.ts';
import { normalize, placeholderOf } from './normalize/index.ts';
import { albumReceiver } from './receive-album.ts';
import { SeenTexts } from './seen-texts.ts';
import { albumOf, editedAlbumOf, hasCaption, pressIdOf, updateIdOf } from './update.ts';

/**
 * Hands one update, or those of one album, to intake; resolves once it is durable, or when there is nothing in it for
 * anybody. `placeholder`: take in only that there was a message, because the message itself has been refused again and
 * again.
 */
export type Receive = (updates: readonly unknown[], form?: 'whole' | 'placeholder') => Promise<void>;

export interface Receiver {
  readonly receive: Receive;
  /** Reads a part of an album, for those who gather them by themselves; undefined for anything else. */
  partIn(update: unknown): { readonly group: string; readonly part: AlbumPart } | undefined;
  /** Hands over the parts of an album that have been gathered; those that intake has already are left out. */
  receiveAlbum(group: string, parts: readonly AlbumPart[]): Promise<void>;
}

export interface ReceiverOptions {
  readonly context: AdapterContext<TelegramConfig>;
  readonly api: BotApi;
  readonly bot: BotIdentity;
  readonly moves: Moves;
}

export function receiver({ context, api, bot, moves }: ReceiverOptions): Receiver {
  const { channel, clock, log, state } = context;
  const seen = new SeenTexts();
  const albums = albumReceiver(new AlbumBook(state), accept);
  const about = () => ({ channel, bot, now: clock.now() });

  return {
    async receive(updates, form = 'whole') {
      const read = form === 'whole' ? normalize : placeholderOf;
      const messages = updates.flatMap((update) => {
        const message = read(update, about());
        return message === null ? [] : [{ message, hasWords: hasCaption(update) }];
      });
      const message = messages[0]?.message;
      const group = albumOf(updates[0]);
      const press = pressIdOf(updates[0]);
      if (press !== undefined) await receivePress(press, message);
      else if (message === undefined) log.debug({ channel, update: updateIdOf(updates[0]) }, 'nothing to take in');
      else if (group !== undefined) await albums.receive(group, messages);
      else await receiveMessage(message, editedAlbumOf(updates[0]));
    },

    partIn(update) {
      const group = albumOf(update);
      const message = group === undefined ? null : normalize(update, about());
      if (group === undefined || message === null || message.kind !== 'message') return undefined;
      return { group, part: { message, hasWords: hasCaption(update) } };
    },

    receiveAlbum: (group, parts) => albums.receive(group, parts),
  };

  async function receiveMessage(read: InboundMessage, editedAlbum: string | undefined): Promise<void> {
    const message = editedAlbum === undefined ? read : await albums.asWhole(editedAlbum, read);
    if (message.migratedTo !== undefined) moves.note(message.chat.id, message.migratedTo);
    if (message.kind === 'edit' && seen.saysTheSame(message)) return;
    await accept(message);
  }

  async function accept(message: InboundMessage): Promise<void> {
    await context.accept(message);
    if (message.kind === 'message' || message.kind === 'edit') seen.note(message);
  }

  /** Whatever the press was, the button shows that it is at work until it is answered. */
  async function receivePress(id: string, press: InboundMessage | undefined): Promise<void> {
    // Games and buttons of other programs send no data that was ours, nor do people's own programs that make it up.
    const isOurs = press !== undefined && press.text !== '' && Buffer.byteLength(press.text) <= CALLBACK_DATA_MAX_BYTES;
    const value = isOurs ? await pressedValue(press.text, state) : null;
    const notice = value === null ? { text: say(languageOf(press?.sender.language), 'button_stale') } : {};
    // Too late an answer is refused, and that does not matter.
    api
      .call('answerCallbackQuery', { callback_query_id: id, ...notice }, { idempotent: true })
      .catch((error: unknown) => log.debug({ channel, err: error }, 'a button press could not be answered'));
    if (isOurs && value !== null) await accept({ ...press, text: value });
  }
}
