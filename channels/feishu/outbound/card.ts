import type { Document, Target } from '../../../src/channel/port.ts';
import { type Doc, plain } from '../../../src/format/index.ts';
import { buttonElements } from '../buttons.ts';
import { renderCardMarkdown } from './render-card.ts';
import { shown } from './shown.ts';

/** The element that holds the answer; streaming names it. */
export const ANSWER_ID = 'answer';

/** In characters as people count them. */
const SUMMARY_MAX = 60;

export interface CardOptions {
  readonly target: Target;
  readonly buttons?: Document['buttons'];
  /** The formatting was refused before. */
  readonly plain: boolean;
  readonly streaming: boolean;
}

/** A card around an answer. https://open.feishu.cn/document/feishu-cards/card-json-v2-structure */
export function cardOf(document: Doc, { target, buttons = [], plain: isPlain, streaming }: CardOptions): object {
  const answer = isPlain
    ? { tag: 'div', element_id: ANSWER_ID, text: { tag: 'plain_text', content: shown(plain(document)) } }
    : { tag: 'markdown', element_id: ANSWER_ID, content: shown(renderCardMarkdown(document)) };
  return {
    schema: '2.0',
    config: {
      update_multi: true,
      ...(streaming ? { streaming_mode: true } : { streaming_mode: false, summary: { content: summaryOf(document) } }),
    },
    body: { elements: [answer, ...buttonElements(buttons, target)] },
  };
}

/** What the list of chats shows of the card; while it streams, the platform shows that it is being written. */
export function summaryOf(document: Doc): string {
  const text = plain(document).replace(/\s+/g, ' ').trim();
  let summary = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    length += 1;
    if (length > SUMMARY_MAX) return `${summary}…`;
    summary += segment;
  }
  return summary;
}
