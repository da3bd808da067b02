import { createHash } from 'node:crypto';
import type { Button, ChannelState } from '../../src/channel/port.ts';
import { ACTIONS_MAX_BUTTONS, BUTTON_LABEL_MAX_CHARS, BUTTON_VALUE_MAX_CHARS } from './limits.ts';

/** Marks a value that is kept by us; a value that begins with it itself is kept too. */
const KEPT = '~';

/** Blocks of buttons; values too long for Slack are kept in the channel's state. */
export async function buttonBlocks(buttons: readonly Button[], state: ChannelState): Promise<object[]> {
  const elements = await Promise.all(
    buttons.map(async ({ label, value }, index) => ({
      type: 'button',
      action_id: `antler-${index}`,
      text: { type: 'plain_text', text: shortened(label), emoji: true },
      value: await heldValue(value, state),
    })),
  );
  const blocks: object[] = [];
  for (let at = 0; at < elements.length; at += ACTIONS_MAX_BUTTONS) {
    blocks.push({ type: 'actions', elements: elements.slice(at, at + ACTIONS_MAX_BUTTONS) });
  }
  return blocks;
}

async function heldValue(value: string, state: ChannelState): Promise<string> {
  if (value.length <= BUTTON_VALUE_MAX_CHARS && value !== '' && !value.startsWith(KEPT)) return value;
  const name = createHash('sha256').update(value).digest('base64url').slice(0, 32);
  await state.set(`button:${name}`, value);
  return KEPT + name;
}

/** The value behind that of a pressed button; empty when it is not known any more. */
export async function pressedValue(value: string, state: ChannelState): Promise<string> {
  return value.startsWith(KEPT) ? ((await state.get(`button:${value.slice(KEPT.length)}`)) ?? '') : value;
}

function shortened(label: string): string {
  const shown = label.trim() === '' ? '…' : label;
  return shown.length <= BUTTON_LABEL_MAX_CHARS
    ? shown
    : `${shown.slice(0, BUTTON_LABEL_MAX_CHARS - 1).toWellFormed()}…`;
}
