import { createHash } from 'node:crypto';
import { heldValue } from '../../../src/channel/kept-values.ts';
import type { Button, ChannelState, Document } from '../../../src/channel/port.ts';
import { parse, plain } from '../../../src/format/index.ts';
import { BUTTON_KEY_MAX_BYTES, CARD_MAX_BUTTONS, CARD_TEXT_MAX_CHARS, CARD_TITLE_MAX_CHARS } from '../limits.ts';

/** Above buttons whose words stand in the message before them, in any language. */
export const CARD_TITLE = '👇';

/** A template card with buttons. https://developer.work.weixin.qq.com/document/path/101031 */
export interface Card {
  readonly card_type: 'button_interaction';
  readonly main_title: { readonly title: string };
  readonly sub_title_text?: string;
  readonly button_list: readonly { readonly text: string; readonly style: number; readonly key: string }[];
  readonly task_id: string;
}

/** May a document's buttons stand on a card? If not, they are read as text. */
export const canBeCard = ({ buttons = [] }: Document): boolean =>
  buttons.length > 0 &&
  buttons.length <= CARD_MAX_BUTTONS &&
  new Set(buttons.map(({ value }) => value)).size === buttons.length;

/** A card that says what the document says, where that is short enough; else undefined. */
export const cardWithText = (document: Document, key: string, state: ChannelState): Promise<Card> | undefined => {
  const words = plain(parse(document.markdown)).trim().toWellFormed();
  const length = [...words].length;
  if (words === '' || length > CARD_TEXT_MAX_CHARS) return undefined;
  const isTitle = length <= CARD_TITLE_MAX_CHARS && !words.includes('\n');
  const text = isTitle
    ? { main_title: { title: words } }
    : { main_title: { title: CARD_TITLE }, sub_title_text: words };
  return cardOf(document.buttons ?? [], key, state, text);
};

/** A card that holds nothing but buttons. */
export const bareCard = (buttons: readonly Button[], key: string, state: ChannelState): Promise<Card> =>
  cardOf(buttons, key, state, { main_title: { title: CARD_TITLE } });

async function cardOf(
  buttons: readonly Button[],
  key: string,
  state: ChannelState,
  text: Pick<Card, 'main_title' | 'sub_title_text'>,
): Promise<Card> {
  const fits = (value: string): boolean => Buffer.byteLength(value) <= BUTTON_KEY_MAX_BYTES;
  const list = await Promise.all(
    buttons.map(async ({ label, value }) => ({
      text: label.toWellFormed(),
      style: 1,
      key: await heldValue(value, fits, state),
    })),
  );
  return { card_type: 'button_interaction', ...text, button_list: list, task_id: taskIdOf(key) };
}

/** Of letters and digits alone; the same for the same delivery. */
const taskIdOf = (key: string): string => `antler-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;

/** The card once somebody has pressed: what was chosen stands for the buttons, and cannot be pressed. */
export const pressedCard = (card: Card, key: string): object => {
  const chosen = card.button_list.find((button) => button.key === key)?.text;
  return { ...card, replace_text: chosen === undefined ? '✔' : `✔ ${chosen}` };
};
