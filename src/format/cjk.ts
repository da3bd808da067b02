import type { Text as MdastText } from 'mdast';
import { type Inline, text } from './nodes.ts';

const CJK =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303f\\uff00-\\uffef“”‘’…—';
const BESIDE_CJK = new RegExp(
  `(?<=[${CJK}])\\*\\*(?!\\s)([^*]+)(?<!\\s)\\*\\*|\\*\\*(?!\\s)([^*]+)(?<!\\s)\\*\\*(?=[${CJK}])`,
  'gu',
);

/**
 * Makes `**重点：**内容` strong. CommonMark's flanking rules refuse a closing `**` between punctuation and a letter, which
 * in scripts without spaces is where it usually stands, so models' Chinese answers show bare asterisks
 * (https://github.com/commonmark/commonmark-spec/issues/650).
 */
export function emphasizeBesideCjk(node: MdastText): Inline[] {
  if (!node.value.includes('**') || !isUnescaped(node)) return [text(node.value)];
  const inlines: Inline[] = [];
  let at = 0;
  for (const { 0: whole, 1: behind, 2: before, index } of node.value.matchAll(BESIDE_CJK)) {
    if (index > at) inlines.push(text(node.value.slice(at, index)));
    inlines.push({ type: 'strong', children: [text(behind ?? before ?? '')] });
    at = index + whole.length;
  }
  if (at < node.value.length) inlines.push(text(node.value.slice(at)));
  return inlines;
}

/** A text as long as its source holds no escapes, so its asterisks were typed bare. */
function isUnescaped(node: MdastText): boolean {
  const { start, end } = node.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return true;
  return end.offset - start.offset === node.value.length;
}
