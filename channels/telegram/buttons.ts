import { heldValue } from '../../src/channel/kept-values.ts';
import type { Button, ChannelState } from '../../src/channel/port.ts';
import { CALLBACK_DATA_MAX_BYTES } from './limits.ts';

/** An inline keyboard, one button a row; values that Telegram does not take are kept in the channel's state. */
export async function keyboardOf(buttons: readonly Button[], state: ChannelState): Promise<object> {
  const rows = await Promise.all(
    buttons.map(async ({ label, value }) => [
      { text: shownLabel(label), callback_data: await heldValue(value, fits, state) },
    ]),
  );
  return { inline_keyboard: rows };
}

const fits = (value: string): boolean => Buffer.byteLength(value) <= CALLBACK_DATA_MAX_BYTES && value.isWellFormed();

/** A button without anything to see on it is refused. */
const shownLabel = (label: string): string => (label.trim() === '' ? '…' : label.toWellFormed());
