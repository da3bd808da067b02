import { type CardElement, type CardJson, type Chat, isRecord, type Message } from './model.ts';

/** What people read of a message: markup stays as it is, everything else is told in brackets. */
export function shownText(message: Pick<Message, 'type' | 'content' | 'card' | 'mentions' | 'chat'>): string {
  if (message.card !== undefined) return calledByName(cardText(message.card.json), message.chat);
  const content = parsed(message.content);
  if (message.type === 'text') return named(String(content.text ?? ''), message.mentions);
  if (message.type === 'post') return named(postText(content), message.mentions);
  return `[${message.type}]`;
}

const named = (text: string, mentions: Message['mentions']): string =>
  mentions
    .toSorted((a, b) => b.key.length - a.key.length)
    .reduce((all, { key, name }) => all.replaceAll(key, `@${name}`), text);

/** Mentions in cards show as names; those of people who are not there show as nothing. */
const calledByName = (text: string, { users, apps }: Chat): string =>
  text.replace(/<at id=([\w-]+)><\/at>/g, (_, id: string) => {
    const account = [...users, ...apps].find(({ openId }) => openId === id);
    return account === undefined ? '' : `@${account.name}`;
  });

function postText(content: Record<string, unknown>): string {
  const body = Object.values(content).find((value) => isRecord(value) && Array.isArray(value.content)) ?? content;
  if (!isRecord(body) || !Array.isArray(body.content)) return '';
  const rows = body.content.map((row: unknown) => (Array.isArray(row) ? row.map(elementText).join('') : ''));
  return [typeof body.title === 'string' ? body.title : '', ...rows].filter((row) => row !== '').join('\n');
}

function elementText(element: unknown): string {
  if (!isRecord(element)) return '';
  switch (element.tag) {
    case 'at':
      return /^@_/.test(String(element.user_id))
        ? String(element.user_id)
        : `@${String(element.user_name ?? element.user_id)}`;
    case 'hr':
      return '———';
    case 'img':
    case 'media':
    case 'emotion':
      return `[${String(element.tag)}]`;
    default:
      return String(element.text ?? '');
  }
}

/** All that a card says, one element a line; buttons in brackets. */
export function cardText(card: CardJson): string {
  return elementsOf(card)
    .map(cardElementText)
    .filter((text) => text !== '')
    .join('\n');
}

export const elementsOf = (card: CardJson): readonly CardElement[] => card.body?.elements ?? card.elements ?? [];

function cardElementText(element: CardElement): string {
  const label = isRecord(element.text) ? String(element.text.content ?? '') : '';
  if (element.tag === 'markdown') return unescaped(String(element.content ?? ''));
  if (element.tag === 'button') return `[${label}]`;
  return label;
}

/** Clients show entities as what they stand for. */
const unescaped = (markdown: string): string =>
  markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

export function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
