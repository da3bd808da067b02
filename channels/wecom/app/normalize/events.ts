import type { InboundMessage } from '../../../../src/channel/message.ts';
import { allAt, type Element, textAt } from '../xml.ts';
import { placeholder } from './content.ts';
import type { Envelope } from './context.ts';

type Converter = (event: Element, envelope: Envelope) => InboundMessage | null;

/** Who opens the app says hello with it, as with the button that other platforms have. */
const hello: Converter = (_, envelope) => command(envelope, '/start');

/** One converter a kind of event; all others are nothing that anybody said or did to the bot. https://developer.work.weixin.qq.com/document/path/90240 */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['subscribe', hello],
  ['enter_agent', hello],
  // An entry of the app's menu is a command.
  [
    'click',
    (event, envelope) => {
      const key = textAt(event, 'EventKey')?.trim() ?? '';
      return key === '' ? null : command(envelope, key.startsWith('/') ? key : `/${key}`);
    },
  ],
  ['scancode_waitmsg', convertScan],
  ['scancode_push', convertScan],
  [
    'location_select',
    (event, envelope) => {
      const at = ['Label', 'Location_X', 'Location_Y'].map((name) => textAt(event, 'SendLocationInfo', name));
      return command(envelope, placeholder('location', ...at));
    },
  ],
  ['template_card_event', convertPress],
  ['template_card_menu_event', convertPress],
]);

export function convertEvent(event: Element, envelope: Envelope): InboundMessage | null {
  return converters.get(textAt(event, 'Event') ?? '')?.(event, envelope) ?? null;
}

/** Events of these kinds only say that somebody has come. */
export const isArrival = (event: Element): boolean =>
  textAt(event, 'MsgType') === 'event' && converters.get(textAt(event, 'Event') ?? '') === hello;

const command = (envelope: Envelope, text: string): InboundMessage => ({
  ...envelope,
  kind: 'message',
  text,
  files: [],
});

function convertScan(event: Element, envelope: Envelope): InboundMessage | null {
  const result = textAt(event, 'ScanCodeInfo', 'ScanResult')?.trim() ?? '';
  return result === '' ? null : command(envelope, result);
}

/** A button's key, or what was chosen from a card's lists. */
function convertPress(event: Element, envelope: Envelope): InboundMessage | null {
  const options = allAt(event, 'SelectedItems', 'SelectedItem', 'OptionIds', 'OptionId').map(({ text }) => text);
  const text = options.length > 0 ? options.join(', ') : (textAt(event, 'EventKey') ?? '');
  if (text === '') return null;
  const task = textAt(event, 'TaskId');
  return {
    ...envelope,
    kind: 'action',
    text,
    ...(task === undefined ? {} : { quote: { messageId: task, fromBot: true, text: '', files: [] } }),
    files: [],
  };
}
