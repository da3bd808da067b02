import { type Block, escapeText, type User } from './model.ts';

/** What Slack makes of what a person types: escaped text with tokens, and the same as rich text. */
export interface Typed {
  readonly text: string;
  readonly blocks: readonly Block[];
}

const TOKEN = /@([\w.-]+)|https?:\/\/[^\s<>]+|`[^`\n]+`/g;

/** `@name` becomes a mention if there is such a user, or of everybody; addresses become links; code stays code. */
export function typed(text: string, users: readonly User[]): Typed {
  let out = '';
  let from = 0;
  const elements: Record<string, unknown>[] = [];
  const plain = (part: string): void => {
    if (part === '') return;
    out += escapeText(part);
    elements.push({ type: 'text', text: part });
  };
  for (const match of text.matchAll(TOKEN)) {
    const [found, name] = match;
    const user = users.find((candidate) => candidate.name === name);
    const isRange = name === 'here' || name === 'channel' || name === 'everyone';
    const isCode = found.startsWith('`');
    if (name !== undefined && user === undefined && !isRange) continue;
    plain(text.slice(from, match.index));
    from = match.index + found.length;
    if (isRange) {
      out += `<!${name}>`;
      elements.push({ type: 'broadcast', range: name });
    } else if (user !== undefined) {
      out += `<@${user.id}>`;
      elements.push({ type: 'user', user_id: user.id });
    } else if (isCode) {
      out += escapeText(found);
      elements.push({ type: 'text', text: found.slice(1, -1), style: { code: true } });
    } else {
      out += `<${escapeText(found)}>`;
      elements.push({ type: 'link', url: found });
    }
  }
  plain(text.slice(from));
  if (elements.length === 0) return { text: out, blocks: [] };
  return {
    text: out,
    blocks: [{ type: 'rich_text', block_id: 'b1', elements: [{ type: 'rich_text_section', elements }] }],
  };
}
