import { createHash } from 'node:crypto';
import type { Button, ChannelState } from '../../src/channel/port.ts';
import { CALLBACK_DATA_MAX_BYTES } from './limits.ts';

/** Marks data that names a value kept by us; a value that begins with it itself is kept too. */
const KEPT = '~';

/** An inline keyboard, one button a row; values too long for Telegram are kept in the channel's state. */
export async function keyboardOf(buttons: readonly Button[], state: ChannelState): Promise<object> {
  const rows = await Promise.all(
    buttons.map(async ({ label, value }) => [{ text: shownLabel(label), callback_data: await dataOf(value, state) }]),
  );
  return { inline_keyboard: rows };
}

/** A button without anything to see on it is refused. */
const shownLabel = (label: string): string => (label.trim() === '' ? '…' : label.toWellFormed());

async function dataOf(value: string, state: ChannelState): Promise<string> {
  const fits = Buffer.byteLength(value) <= CALLBACK_DATA_MAX_BYTES;
  if (fits && value !== '' && value.isWellFormed() && !value.startsWith(KEPT)) return value;
  const name = createHash('sha256').update(value).digest('base64url').slice(0, 32);
  await state.set(`button:${name}`, value);
  return KEPT + name;
}

/** The value behind the data of a pressed button; empty when it is not known any more. */
export async function pressedValue(data: string, state: ChannelState): Promise<string> {
  return data.startsWith(KEPT) ? ((await state.get(`button:${data.slice(KEPT.length)}`)) ?? '') : data;
}
