import type { Text as MdastText } from 'mdast';
import { type Inline, text } from './nodes.ts';

const CJK =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303f\\uff00-\\uffef“”‘’…—';
const BESIDE_CJK = new RegExp(
  `(?<=[${CJK}])\\*\\*(?!\\s)([^*]+)(?<!\\s)\\*\\*|\\*\\*(?!\\s)([^*]+)(?<!\\s)\\*\\*(?=[${CJK}])`,
  'u',
);

/**
 * Makes `**重点：**内容` strong. CommonMark's flanking rules refuse a closing `**` between punctuation and a letter, which
 * in scripts without spaces is where it usually stands, so models' Chinese answers show bare asterisks
 * (https://github.com/commonmark/commonmark-spec/issues/650).
 */
export function emphasizeBesideCjk(node: MdastText): Inline[] {
  const found = isUnescaped(node) ? BESIDE_CJK.exec(node.value) : null;
  if (found === null) return [text(node.value)];
  const before = node.value.slice(0, found.index);
  const after = node.value.slice(found.index + found[0].length);
  const strong: Inline = { type: 'strong', children: [text(found[1] ?? found[2] ?? '')] };
  return [
    ...(before === '' ? [] : [text(before)]),
    strong,
    ...(after === '' ? [] : emphasizeBesideCjk({ type: 'text', value: after })),
  ];
}

/** A text as long as its source holds no escapes, so its asterisks were typed bare. */
function isUnescaped(node: MdastText): boolean {
  const { start, end } = node.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return true;
  return end.offset - start.offset === node.value.length;
}
