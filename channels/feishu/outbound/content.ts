import type { Document, SendOptions, Target } from '../../../src/channel/port.ts';
import { type Block, type Doc, type Inline, parse, plain } from '../../../src/format/index.ts';
import { mend } from '../../../src/format/unfinished.ts';
import { CARD_MAX_BYTES } from '../limits.ts';
import { cardOf } from './card.ts';
import { renderPost } from './render-post.ts';
import { shown } from './shown.ts';

/** What a send carries; `content` is JSON in a string. */
export interface Content {
  readonly msg_type: 'text' | 'post' | 'interactive' | 'image' | 'audio' | 'media' | 'file';
  readonly content: string;
}

/** A document as it is written now; a stand of a growing one is mended so that it reads well. */
export const docOf = ({ markdown }: Document, { draft }: Pick<SendOptions, 'draft'>): Doc =>
  parse(draft === true ? mend(markdown) : markdown);

/**
 * The simplest message that shows a document whole: a text where there is no formatting, a rich text where there is a
 * little, and a card for the rest, for buttons and for everything that will go on growing.
 */
export function contentOf(document: Document, target: Target, options: Pick<SendOptions, 'plain' | 'draft'>): Content {
  const doc = docOf(document, options);
  if (options.plain === true) return textContent(plainWithButtons(doc, document));
  if (options.draft !== true && document.buttons === undefined) {
    if (doc.children.every(isBare) && !STYLED.test(plain(doc))) return textContent(plain(doc));
    if (doc.children.every(isLight)) {
      const post = postContent(doc);
      if (Buffer.byteLength(JSON.stringify(post.content)) <= CARD_MAX_BYTES) return post;
    }
  }
  return cardContent(
    cardOf(doc, {
      target,
      ...(document.buttons === undefined ? {} : { buttons: document.buttons }),
      plain: false,
      streaming: false,
    }),
  );
}

export const cardContent = (card: object): Content => ({ msg_type: 'interactive', content: JSON.stringify(card) });

export const postContent = (doc: Doc): Content => ({
  msg_type: 'post',
  content: JSON.stringify({ zh_cn: { content: renderPost(doc) } }),
});

/** `<at …>` in a text would call somebody. */
export const textContent = (text: string): Content => ({
  msg_type: 'text',
  content: JSON.stringify({ text: shown(text).replace(/<(?=\/?at\b)/gi, '＜') }),
});

function plainWithButtons(doc: Doc, { buttons = [] }: Document): string {
  return [plain(doc), ...buttons.map(({ label }) => `▸ ${label}`)].join('\n');
}

/** Texts have a little markup of their own; in rich texts the same characters stand for themselves. */
const STYLED = /\*\*|<\/?[bius]>|\]\(|~~/i;

const isBare = (node: Block): boolean =>
  node.type === 'paragraph' && node.children.every(({ type }) => type === 'text' || type === 'break');

const isLight = (node: Block): boolean =>
  node.type === 'code' ||
  node.type === 'thematicBreak' ||
  (node.type === 'paragraph' && node.children.every(isLightInline));

const isLightInline = (node: Inline): boolean =>
  node.type !== 'inlineCode' && (!('children' in node) || node.children.every(isLightInline));
