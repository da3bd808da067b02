/** Makes text safe for any JSON reader: no half emoji (an endpoint that decodes strictly refuses it), no NUL. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\u0000') ? whole.replaceAll('\u0000', '') : whole;
}

/**
 * Cuts text to `maxChars`, keeping the first two thirds and the last third: what a tool reports first and how it ended
 * both matter, the middle matters least. The same text is always cut in the same way.
 */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const mark = `\n[… ${text.length - maxChars} characters left out …]\n`;
  const room = Math.max(0, maxChars - mark.length);
  const head = Math.ceil((room * 2) / 3);
  const tail = room - head;
  return cleanText(`${text.slice(0, head)}${mark}${tail === 0 ? '' : text.slice(-tail)}`);
}

/** Keeps the beginning, and says by an ellipsis that there was more. */
export const cutEnd = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;

/** `1.2 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(value.toFixed(1))} ${unit}`;
}
