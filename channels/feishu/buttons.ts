import type { Button, Target } from '../../src/channel/port.ts';
import { isRecord } from './normalize/json.ts';
import type { CardAction } from './normalize/wire.ts';
import { shown } from './outbound/shown.ts';

/** What a button of ours carries: a callback tells neither the chat's kind nor the topic. */
interface ButtonValue {
  readonly antler: string;
  readonly kind: Target['chatKind'];
  readonly topic?: string;
}

/** Buttons as elements of a card. https://open.feishu.cn/document/feishu-cards/card-json-v2-components/interactive-components/button */
export function buttonElements(buttons: readonly Button[], { chatKind, topic }: Target): object[] {
  return buttons.map(({ label, value }) => {
    const carried: ButtonValue = { antler: value, kind: chatKind, ...(topic === undefined ? {} : { topic }) };
    return {
      tag: 'button',
      text: { tag: 'plain_text', content: shown(label) },
      type: 'default',
      behaviors: [{ type: 'callback', value: carried }],
    };
  });
}

export interface ActionReading {
  /** A button's value; what was chosen or typed; a form's fields as JSON. */
  readonly text: string;
  readonly chatKind?: Target['chatKind'];
  readonly topic?: string;
}

/** Reads what was done on a card. Values that are not ours are told as JSON, and never look like a command. */
export function actionOf(action: CardAction['action']): ActionReading {
  const { value, option, options, checked, input_value: input, form_value: form } = action;
  if (isRecord(value) && typeof value.antler === 'string') {
    return {
      text: value.antler,
      ...(value.kind === 'dm' || value.kind === 'group' ? { chatKind: value.kind } : {}),
      ...(typeof value.topic === 'string' ? { topic: value.topic } : {}),
    };
  }
  if (form !== undefined && form !== null) return { text: jsonText(form) };
  if (option !== undefined) return { text: option };
  if (options !== undefined) return { text: options.join(', ') };
  if (input !== undefined) return { text: input };
  if (checked !== undefined) return { text: checked ? '☑' : '☐' };
  return { text: typeof value === 'string' ? value : jsonText(value ?? {}) };
}

const TEXT_MAX = 4_000;
const jsonText = (value: unknown): string => JSON.stringify(value).slice(0, TEXT_MAX);
