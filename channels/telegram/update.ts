import { property } from '../../src/base/property.ts';

/** Reads of an update what is needed before, or although, its shape is known. */

/** The number of an update, by which Telegram confirms; undefined when it is not an update at all. */
export function updateIdOf(update: unknown): number | undefined {
  const id = property(update, 'update_id');
  return Number.isSafeInteger(id) ? (id as number) : undefined;
}

/** Updates of one chat keep their order; those of no chat share one lane. */
export function laneOf(update: unknown): string {
  if (typeof update !== 'object' || update === null) return '';
  for (const content of Object.values(update)) {
    const chat = chatIdOf(content) ?? chatIdOf(property(content, 'message'));
    if (chat !== undefined) return chat;
  }
  return '';
}

/** The album that a new message is a part of. */
export const albumOf = (update: unknown): string | undefined => groupOf(newMessage(update));

/** The album that an edited message is a part of. */
export const editedAlbumOf = (update: unknown): string | undefined =>
  groupOf(property(update, 'edited_message') ?? property(update, 'edited_channel_post'));

/** Somebody has written something under the picture. */
export function hasCaption(update: unknown): boolean {
  const caption = property(newMessage(update), 'caption');
  return typeof caption === 'string' && caption.trim() !== '';
}

/** Who says something in a chat; undefined for all that is no message. */
export function speakerOf(update: unknown): string | undefined {
  const message = newMessage(update) ?? property(update, 'edited_message');
  const id = property(property(message, 'from'), 'id');
  return typeof id === 'number' ? String(id) : undefined;
}

/** The press of a button, by the id under which it must be answered. */
export function pressIdOf(update: unknown): string | undefined {
  const id = property(property(update, 'callback_query'), 'id');
  return typeof id === 'string' ? id : undefined;
}

const newMessage = (update: unknown): unknown => property(update, 'message') ?? property(update, 'channel_post');

function groupOf(message: unknown): string | undefined {
  const chat = chatIdOf(message);
  const group = property(message, 'media_group_id');
  return chat !== undefined && typeof group === 'string' && group !== '' ? `${chat}/${group}` : undefined;
}

function chatIdOf(value: unknown): string | undefined {
  const id = property(property(value, 'chat'), 'id');
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}
