const ASCII_TOKENS = 1 / 4;
const CJK_TOKENS = 0.75;
/** Cyrillic, Arabic, accents, each half of an emoji. */
const OTHER_TOKENS = 0.5;
/** Role, separators and field names of one message. */
export const MESSAGE_TOKENS = 6;

/** Much faster than counting, and most text is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/**
 * Estimates how many tokens a text takes, without a tokenizer: those differ from model to model and cost megabytes.
 * Meant to be a little high rather than low.
 */
export function estimateTokens(text: string): number {
  if (ASCII_ONLY.test(text)) return Math.ceil(text.length * ASCII_TOKENS);
  let ascii = 0;
  let cjk = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) ascii++;
    else if (unit >= 0x2e80 && unit <= 0xd7ff) cjk++;
    else if (unit >= 0xf900 && unit <= 0xffef) cjk++;
  }
  const other = text.length - ascii - cjk;
  return Math.ceil(ascii * ASCII_TOKENS + cjk * CJK_TOKENS + other * OTHER_TOKENS);
}
