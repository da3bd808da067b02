/** Between a mention and the words after it, clients put a space of one kind or another. */
const SPACE = '[\\s\\u2005\\u00a0]';
const FIRST = new RegExp(`^[@＠][^\\s\\u2005\\u00a0]+(?:${SPACE}+|$)`);

/**
 * What was said to the bot in a group, without its mention. WeCom leaves the mention in the text and marks it in no
 * way; every message that reaches the bot has one.
 */
export function withoutMention(text: string, botName: string | undefined): string {
  if (botName === undefined) return text.trimStart().replace(FIRST, '').trim();
  const mention = `[@＠]${botName.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  const leading = new RegExp(`^${SPACE}*${mention}(?:${SPACE}+|$)`);
  const trailing = new RegExp(`${SPACE}+${mention}${SPACE}*$`);
  const cut = text.replace(leading, '');
  return (cut === text ? text.replace(trailing, '') : cut).trim();
}
