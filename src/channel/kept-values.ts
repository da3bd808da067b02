import { createHash } from 'node:crypto';
import type { ChannelState } from './port.ts';

/** Marks the name of a value that is kept; a value that begins with it itself is kept too. */
const KEPT = '~';

/**
 * What stands on a button for its value: the value itself where it `fits`, else a name under which it is kept in the
 * channel's state, where every replica finds it.
 */
export async function heldValue(value: string, fits: (value: string) => boolean, state: ChannelState): Promise<string> {
  if (value !== '' && fits(value) && !value.startsWith(KEPT)) return value;
  const name = createHash('sha256').update(value).digest('base64url').slice(0, 32);
  await state.set(`button:${name}`, value);
  return KEPT + name;
}

/** The value behind what stood on a pressed button; null when it is not known any more. */
export async function pressedValue(held: string, state: ChannelState): Promise<string | null> {
  return held.startsWith(KEPT) ? await state.get(`button:${held.slice(KEPT.length)}`) : held;
}
