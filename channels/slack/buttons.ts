import { heldValue } from '../../src/channel/kept-values.ts';
import type { Button, ChannelState } from '../../src/channel/port.ts';
import { ACTIONS_MAX_BUTTONS, BUTTON_LABEL_MAX_CHARS, BUTTON_VALUE_MAX_CHARS } from './limits.ts';

const fits = (value: string): boolean => value.length <= BUTTON_VALUE_MAX_CHARS;

/** Blocks of buttons; values too long for Slack are kept in the channel's state. */
export async function buttonBlocks(buttons: readonly Button[], state: ChannelState): Promise<object[]> {
  const elements = await Promise.all(
    buttons.map(async ({ label, value }, index) => ({
      type: 'button',
      action_id: `antler-${index}`,
      text: { type: 'plain_text', text: shortened(label), emoji: true },
      value: await heldValue(value, fits, state),
    })),
  );
  const blocks: object[] = [];
  for (let at = 0; at < elements.length; at += ACTIONS_MAX_BUTTONS) {
    blocks.push({ type: 'actions', elements: elements.slice(at, at + ACTIONS_MAX_BUTTONS) });
  }
  return blocks;
}

function shortened(label: string): string {
  const shown = label.trim() === '' ? '…' : label;
  return shown.length <= BUTTON_LABEL_MAX_CHARS
    ? shown
    : `${shown.slice(0, BUTTON_LABEL_MAX_CHARS - 1).toWellFormed()}…`;
}
