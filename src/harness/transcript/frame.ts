import { FILE_PROBLEMS } from '../file-problems.ts';
import type { HeardEntry, LoggedFile, Speaker, UserEntry } from '../log.ts';
import type { RunContext } from '../port.ts';
import { cleanText, cutEnd, sizeText } from './text.ts';

/**
 * The tags that only the harness writes. What people, files and remote tools say is escaped so that it cannot open or
 * close one of them.
 */
const RESERVED_TAGS = [
  'soul',
  'context',
  'memory',
  'note',
  'message',
  'heard',
  'quote',
  'forwarded',
  'files',
  'tool_result',
  'summary',
  'skill_list',
  'active_skill',
] as const;
export type Tag = (typeof RESERVED_TAGS)[number];

const RESERVED = new RegExp(
  `<(?=[\\s\\u200b-\\u200f\\u2060\\ufeff]*/?[\\s\\u200b-\\u200f\\u2060\\ufeff]*(?:${RESERVED_TAGS.join('|')})\\b)`,
  'gi',
);
/**
 * The marks of which chat templates are made, `<|im_start|>` and the like: many servers of open models take them for
 * what they stand for wherever they are written, so that a web page could speak as the system.
 */
const TEMPLATE_MARKS = /<(?=[|｜][^<>|｜\n]{1,40}[|｜]>|(?:start|end)_of_turn>)/gi;
const MAX_NAME_CHARS = 80;
const MAX_QUOTE_CHARS = 4000;
const MAX_FILES = 50;

/**
 * Text of others as it may stand in a request: code and HTML stay readable, only our own tags and those of chat templates
 * lose their bracket.
 */
export function asData(text: string): string {
  return cleanText(text).replace(RESERVED, '&lt;').replace(TEMPLATE_MARKS, '&lt;');
}

/** A name of others as it may stand in an attribute or a list: one line, no quotes or brackets, bounded. */
export function asName(name: string): string {
  const flat = cleanText(name)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return cutEnd(flat, MAX_NAME_CHARS);
}

/** Wraps text that is already safe. */
export function framed(tag: Tag, text: string, attributes: Readonly<Record<string, string>> = {}): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${asName(value)}"`);
  return `<${tag}${written.join('')}>\n${text}\n</${tag}>`;
}

/** What somebody wrote to the bot alone. */
export const renderDirect = once(body);

/** What somebody wrote in a group, with the speaker as an attribute that the text cannot fake. */
export const renderInGroup = once((entry: UserEntry) =>
  framed('message', body(entry), speakerAttributes(entry.speaker)),
);

/** What was said near the bot: one frame, in it a frame a message. */
export const renderHeard = once(({ messages }: HeardEntry) =>
  framed(
    'heard',
    messages
      .map(({ name, fromBot, at, text }) =>
        framed('message', asData(text).trim(), {
          ...(fromBot ? { by: 'you' } : name === '' ? {} : { from: name }),
          at: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        }),
      )
      .join('\n'),
  ),
);

/** How what people write is written down in a chat of this kind. */
export const rendererFor = (chatKind: RunContext['chatKind']): ((entry: UserEntry) => string) =>
  chatKind === 'group' ? renderInGroup : renderDirect;

/** Each step of a run writes all of its messages down again; entries never change, nor does what is made of them. */
function once<Entry extends object>(render: (entry: Entry) => string): (entry: Entry) => string {
  const before = new WeakMap<Entry, string>();
  return (entry) => {
    const text = before.get(entry) ?? render(entry);
    before.set(entry, text);
    return text;
  };
}

function speakerAttributes(speaker: Speaker): Record<string, string> {
  return { ...(speaker.name === '' ? {} : { from: speaker.name }), id: speaker.id };
}

function body(entry: UserEntry): string {
  const { quote, forwardedFrom, lateMs, files } = entry;
  const text = asData(entry.text).trim();
  const parts: string[] = [];
  if (lateMs !== undefined)
    parts.push(framed('note', `This was sent ${duration(lateMs)} before it could be answered.`));
  if (quote !== undefined) {
    const author = quote.fromBot ? 'you' : (quote.author ?? 'somebody');
    const quoted = [asData(quote.text.slice(0, MAX_QUOTE_CHARS)), ...fileFrame(quote.files)];
    parts.push(framed('quote', quoted.filter((part) => part !== '').join('\n'), { from: author }));
  }
  if (forwardedFrom !== undefined) parts.push(framed('forwarded', text, { from: forwardedFrom }));
  else if (text !== '') parts.push(text);
  parts.push(...fileFrame(files));
  // Endpoints refuse a user message without text.
  return parts.length === 0 ? '(a message without text)' : parts.join('\n');
}

function fileFrame(files: readonly LoggedFile[] = []): string[] {
  return files.length === 0 ? [] : [framed('files', files.slice(0, MAX_FILES).map(fileLine).join('\n'))];
}

/** One line: what the file is called and what it is, by which a tool can be asked for it. */
function fileLine({ id, name, kind, mime, bytes, problem }: LoggedFile): string {
  const facts = [kind, asName(mime), ...(bytes > 0 ? [sizeText(bytes)] : []), `id ${asName(id)}`];
  const line = `${asName(name)} (${facts.join(', ')})`;
  return problem === undefined ? line : `${line}: not readable, it ${FILE_PROBLEMS[problem]}`;
}

/** Roughly, as people say it. */
function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
