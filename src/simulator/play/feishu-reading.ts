import { type CardElement, isRecord, type Mention, type Message } from '../feishu/model.ts';
import { elementsOf, parsed, shownText } from '../feishu/text.ts';
import { type Dialect, readMarkdown } from './markdown.ts';
import type { Look } from './port.ts';
import { Reading } from './reading.ts';

interface Account {
  readonly openId: string;
  readonly name: string;
}

/** What Feishu's apps show of a message, apart from its buttons and files. */
export function readMessage(
  message: Message,
  accounts: readonly Account[],
): { readonly text: string; readonly looks: readonly Look[] } {
  const out = new Reading();
  const content = parsed(message.content);
  if (message.card !== undefined) readCard(elementsOf(message.card.json), accounts, out);
  else if (message.type === 'text') readText(String(content.text ?? ''), message.mentions, out);
  else if (message.type === 'post') readPost(content, message.mentions, accounts, out);
  else if (!SHOWN_AS_FILES.has(message.type)) out.add(shownText(message));
  return { text: out.text, looks: out.looks };
}

const SHOWN_AS_FILES: ReadonlySet<string> = new Set(['image', 'file', 'audio', 'media']);

function call(account: Account | undefined, out: Reading): void {
  if (account !== undefined) out.look('mention', () => out.add(`@${account.name}`), { user: account.openId });
}

/** In a text, keys such as `@_user_1` stand for those who are called. */
function readText(text: string, mentions: readonly Mention[], out: Reading): void {
  let from = 0;
  for (const { 0: key, index } of text.matchAll(/@_user_\d+|@_all/g)) {
    const called = mentions.find((mention) => mention.key === key);
    if (called === undefined) continue;
    out.add(text.slice(from, index));
    call(called, out);
    from = index + key.length;
  }
  out.add(text.slice(from));
}

function readCard(elements: readonly CardElement[], accounts: readonly Account[], out: Reading): void {
  /** `<at id=…></at>` calls somebody; nobody is called by an id that is not known. */
  const html: NonNullable<Dialect['html']> = (tag, to) => {
    const id = /^<at id=([\w-]+)>/.exec(tag)?.[1];
    if (id !== undefined)
      call(
        accounts.find(({ openId }) => openId === id),
        to,
      );
    else if (tag !== '</at>') to.add(tag);
  };
  for (const { tag, content, text } of elements) {
    if (tag === 'button') continue;
    if (out.text !== '') out.add('\n');
    if (tag === 'markdown') readMarkdown(String(content ?? ''), out, { html });
    else if (isRecord(text)) out.add(String(text.content ?? ''));
  }
}

function readPost(
  content: Record<string, unknown>,
  mentions: readonly Mention[],
  accounts: readonly Account[],
  out: Reading,
): void {
  const body = Object.values(content).find((value) => isRecord(value) && Array.isArray(value.content)) ?? content;
  const { title, content: rows } = isRecord(body) ? body : {};
  if (typeof title === 'string' && title !== '') out.look('heading', () => out.add(`${title}\n`));
  for (const [index, row] of (Array.isArray(rows) ? rows : []).entries()) {
    if (index > 0) out.add('\n');
    for (const element of Array.isArray(row) ? row.filter(isRecord) : []) readElement(element, mentions, accounts, out);
  }
}

function readElement(
  element: Record<string, unknown>,
  mentions: readonly Mention[],
  accounts: readonly Account[],
  out: Reading,
): void {
  const { tag, user_id: user, href, style, text = '' } = element;
  switch (tag) {
    case 'at': {
      const called = mentions.find(({ key }) => key === user) ?? accounts.find(({ openId }) => openId === user);
      call(called, out);
      break;
    }
    case 'a':
      out.look('link', () => out.add(String(text)), { url: String(href) });
      break;
    case 'code_block':
      out.look('block', () => out.add(String(text)));
      break;
    case 'hr':
      out.add('———');
      break;
    default:
      styled(Array.isArray(style) ? style : [], () => out.add(String(text)), out);
  }
}

const STYLES: Readonly<Record<string, Look['kind']>> = { bold: 'bold', italic: 'italic', lineThrough: 'strike' };

function styled([style, ...more]: readonly unknown[], write: () => void, out: Reading): void {
  if (style === undefined) {
    write();
    return;
  }
  const kind = STYLES[String(style)];
  if (kind === undefined) styled(more, write, out);
  else out.look(kind, () => styled(more, write, out));
}
