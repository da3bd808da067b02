/** Clients write the one or the other. */
const MARKS = ['@', '＠'] as const;
const ANY_NAME = /^[@＠]\S+(?:\s+|$)/;
const SPACE = /\s/;

/**
 * What was said to the bot in a group, without its mention. WeCom leaves the mention in the text and marks it in no
 * way; every message that reaches the bot has one.
 */
export function withoutMention(text: string, botName: string | undefined): string {
  const whole = text.trim();
  if (botName === undefined) return whole.replace(ANY_NAME, '');
  for (const mention of MARKS.map((mark) => mark + botName)) {
    const after = whole.charAt(mention.length);
    if (whole.startsWith(mention) && (after === '' || SPACE.test(after))) return whole.slice(mention.length).trim();
  }
  for (const mention of MARKS.map((mark) => mark + botName)) {
    const before = whole.charAt(whole.length - mention.length - 1);
    if (whole.endsWith(mention) && SPACE.test(before)) return whole.slice(0, -mention.length).trim();
  }
  return whole;
}
