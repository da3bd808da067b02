import { ApiError } from '../api-error.ts';
import { type CardJson, isRecord } from '../model.ts';
import { elementsOf } from '../text.ts';
import type { World } from '../world.ts';

const TAGS = new Set([
  'markdown',
  'div',
  'hr',
  'img',
  'button',
  'table',
  'column_set',
  'form',
  'collapsible_panel',
  'note',
  'action',
]);

/** @throws ApiError as card creation does when a card breaks its rules. */
export function checkCard(card: CardJson, { limits: { maxCardTables }, users, apps }: World): void {
  const fail = (ext: string): never => {
    throw new ApiError(230099, `Failed to create card content, ext=${ext}`);
  };
  const elements = elementsOf(card);
  if (elements.length === 0) fail('ErrCode: 200621; ErrMsg: parse card json err');
  for (const element of elements)
    if (!TAGS.has(String(element.tag))) fail(`ErrCode: 200861; ErrMsg: unsupported tag ${element.tag}`);
  const texts = elements.filter(({ tag }) => tag === 'markdown').map(({ content }) => String(content ?? ''));
  if (tablesIn(texts.join('\n\n')) > maxCardTables) fail('ErrCode: 11310; ErrMsg: card table number over limit');
  const called = [...texts.join('\n').matchAll(/<at id=([\w-]+)>/g)].map(([, id]) => id);
  const known = new Set(['all', ...[...users, ...apps].map(({ openId }) => openId)]);
  if (called.some((id) => !known.has(id ?? '')))
    fail('ErrCode: 100290; ErrMsg: there is an invalid user resource (at/person) in your card');
  const ids = elements.map(({ element_id: id }) => id).filter((id) => id !== undefined);
  if (new Set(ids).size !== ids.length) fail('ErrCode: 300301; ErrMsg: element id is repeated');
  if (card.body !== undefined && !isRecord(card.body)) fail('ErrCode: 200621; ErrMsg: parse card json err');
}

/** Markdown tables, known by their line of dashes. */
export const tablesIn = (markdown: string): number =>
  [...markdown.matchAll(/^(?=.*\|)\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm)].length;
