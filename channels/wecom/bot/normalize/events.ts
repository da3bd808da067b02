import type { InboundMessage } from '../../../../src/channel/message.ts';
import type { Envelope } from './context.ts';
import type { WireEvent } from './wire.ts';

type Converter = (event: WireEvent, envelope: Envelope) => InboundMessage | null;

/** One converter a kind of event; all others are nothing that anybody said or did to the bot. */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  // Who opens the chat says hello with it, as with the button that other platforms have.
  ['enter_chat', (_, envelope) => ({ ...envelope, kind: 'message', text: '/start', addressed: 'dm', files: [] })],
  ['template_card_event', convertPress],
  ['feedback_event', convertFeedback],
]);

export function convertEvent(event: WireEvent, envelope: Envelope): InboundMessage | null {
  return converters.get(event.eventtype)?.(event, envelope) ?? null;
}

/** A button's key, or what was chosen from a card's lists. */
function convertPress(event: WireEvent, envelope: Envelope): InboundMessage | null {
  const { event_key: key, task_id: task, selected_items: items } = event.template_card_event ?? event;
  const chosen = (items?.selected_item ?? []).flatMap(({ option_ids: ids }) => ids?.option_id ?? []);
  const text = chosen.length > 0 ? chosen.join(', ') : (key ?? '');
  if (text === '') return null;
  return {
    ...envelope,
    kind: 'action',
    text,
    addressed: envelope.chat.kind === 'dm' ? 'dm' : 'reply',
    ...(task === undefined ? {} : { quote: { messageId: task, fromBot: true, text: '', files: [] } }),
    files: [],
  };
}

/** 1: helpful, 2: not helpful, 3: taken back. https://developer.work.weixin.qq.com/document/path/101027 */
const FEEDBACK: ReadonlyMap<number, string> = new Map([
  [1, '👍'],
  [2, '👎'],
  [3, '[removed 👍 or 👎]'],
]);

function convertFeedback(event: WireEvent, envelope: Envelope): InboundMessage | null {
  const { id, type = 0, content = '' } = event.feedback_event ?? {};
  const shown = FEEDBACK.get(type);
  if (shown === undefined) return null;
  return {
    ...envelope,
    kind: 'reaction',
    text: content.trim() === '' ? shown : `${shown} ${content.trim()}`,
    addressed: 'none',
    ...(id === undefined ? {} : { quote: { messageId: id, fromBot: true, text: '', files: [] } }),
    files: [],
  };
}
