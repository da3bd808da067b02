import type { InboundFile } from '../../../src/channel/message.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { resourceId } from '../resource.ts';
import { readCard } from './card.ts';
import { isRecord, line, parseObject } from './json.ts';
import { readPost } from './post.ts';
import { millisOf } from './wire.ts';

/** What a message says and carries. Mentions are still placeholders. */
export interface Content {
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** What is in it is only to be had by another call. */
  readonly inside?: 'forward' | 'card';
  /** The text holds this id, in the place of a name that has to be asked for. */
  readonly unnamed?: { readonly kind: 'person' | 'group'; readonly id: string };
}

/** What converters see of a message. */
export interface Source {
  readonly messageId: string;
  readonly content: Readonly<Record<string, unknown>>;
}

type Converter = (source: Source) => Content;

const said = (text: string): Content => ({ text, files: [] });

/** A placeholder with its details, e.g. `[location Alexanderplatz, 52.5, 13.4]`. */
const placeholder =
  (kind: string, ...details: readonly ((content: Source['content']) => unknown)[]): Converter =>
  ({ content }) => {
    const known = details.map((detail) => line(detail(content))).filter((detail) => detail !== '');
    return said(known.length === 0 ? `[${kind}]` : `[${kind} ${known.join(', ')}]`);
  };

const field =
  (...names: readonly string[]) =>
  (content: Source['content']): unknown => {
    let value: unknown = content;
    for (const name of names) value = isRecord(value) ? value[name] : undefined;
    return value;
  };

const file =
  (kind: InboundFile['kind'], extension: string, key = 'file_key'): Converter =>
  ({ messageId, content }) => {
    const fileKey = line(content[key]);
    if (fileKey === '') return said(`[${kind}]`);
    const name = safeFileName(line(content.file_name), `${kind}.${extension}`);
    const seconds = Math.round(Number(content.duration) / 1_000);
    const length = seconds > 0 ? `, ${seconds} s` : '';
    const found = inboundFile(messageId, kind, fileKey, name, content.file_size);
    const label = kind === 'image' ? '[image]' : `[${kind} ${name}${length}]`;
    return { text: label, files: [found] };
  };

/** A video and, as a picture, what it shows before it is played. */
const video: Converter = (source) => {
  const { text, files } = file('video', 'mp4')(source);
  const cover = line(source.content.image_key);
  if (cover === '' || files.length === 0) return { text, files };
  return { text, files: [...files, inboundFile(source.messageId, 'image', cover, 'cover.jpg')] };
};

/** Somebody's card or a group's: of a person only the id is told, of a group often too. */
const calling =
  (kind: 'person' | 'group', idField: string, nameField: string): Converter =>
  ({ content }) => {
    const label = kind === 'person' ? 'contact card' : 'group card';
    const id = line(content[idField]);
    const name = line(content[nameField]);
    if (name !== '' || id === '') return said(name === '' ? `[${label}]` : `[${label} ${name}]`);
    return { ...said(`[${label} ${id}]`), unnamed: { kind, id } };
  };

/** From when to when, e.g. `2026-05-04 07:00 – 08:00 UTC`. */
function period({ start_time: start, end_time: end }: Source['content']): string {
  const [from, to] = [start, end].map(minuteOf);
  if (from === undefined) return '';
  if (to === undefined || to === from) return `${from} UTC`;
  const [day = '', hour = ''] = to.split(' ');
  return `${from} – ${from.startsWith(day) ? hour : to} UTC`;
}

function minuteOf(time: unknown): string | undefined {
  if (typeof time !== 'string' && typeof time !== 'number') return undefined;
  const millis = millisOf(time, 0);
  if (millis <= 0 || millis > 8e15) return undefined;
  return new Date(millis).toISOString().slice(0, 16).replace('T', ' ');
}

/** One converter a message type. https://open.feishu.cn/document/server-docs/im-v1/message-content-description/message_content */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['text', ({ content }) => said(typeof content.text === 'string' ? content.text : '')],
  ['post', readPost],
  ['image', file('image', 'jpg', 'image_key')],
  ['file', file('file', 'bin')],
  ['audio', file('voice', 'opus')],
  ['media', video],
  ['video', video],
  ['folder', placeholder('folder', field('file_name'))],
  ['sticker', placeholder('sticker')],
  ['interactive', readCard],
  ['merge_forward', () => ({ ...said('[forwarded messages]'), inside: 'forward' as const })],
  ['share_chat', calling('group', 'chat_id', 'chat_name')],
  ['share_user', calling('person', 'user_id', 'user_name')],
  ['location', placeholder('location', field('name'), field('latitude'), field('longitude'))],
  [
    'todo',
    placeholder(
      'task',
      ({ summary }) => (isRecord(summary) ? readPost({ messageId: '', content: summary }).text : summary),
      ({ due_time: due }) => (minuteOf(due) === undefined ? '' : `due ${minuteOf(due)} UTC`),
    ),
  ],
  ['vote', ({ content }) => said(voteText(content))],
  ['calendar', placeholder('calendar event', field('summary'), period)],
  ['share_calendar_event', placeholder('calendar event', field('summary'), period)],
  ['general_calendar', placeholder('calendar event', field('summary'), period)],
  ['hongbao', placeholder('red packet', field('text'))],
  ['video_chat', placeholder('video call', field('topic'), period)],
  ['system', placeholder('system message', systemText)],
]);

/** Reads what a message of a type says. A type that nobody knows yet reads as its name, e.g. `[hologram]`; never throws. */
export function contentOf(type: string, raw: string, messageId: string): Content {
  const content = parseObject(raw);
  if (content === undefined && type === 'text') return said('[message]');
  const convert = converters.get(type);
  if (convert === undefined) {
    const words = content === undefined ? '' : line(content.text);
    return said(`[${line(type).replaceAll('_', ' ') || 'message'}${words === '' ? '' : `: ${words}`}]`);
  }
  return convert({ messageId, content: content ?? {} });
}

export function inboundFile(
  messageId: string,
  kind: InboundFile['kind'],
  key: string,
  name: string,
  size?: unknown,
): InboundFile {
  const bytes = Number(size);
  return {
    id: resourceId({ messageId, type: kind === 'image' ? 'image' : 'file', key }),
    kind,
    name,
    ...(size !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? { bytes } : {}),
  };
}

/** `{from_user} invited {to_chatters}` with the names that stand beside it. */
function systemText(content: Source['content']): string {
  return line(content.template)
    .replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = content[name];
      return Array.isArray(value) ? value.map(line).join(', ') : line(value);
    })
    .replace(/\s+/g, ' ')
    .trim();
}

function voteText(content: Source['content']): string {
  const options = Array.isArray(content.options) ? content.options.map(line).join(' / ') : '';
  return `[poll ${[line(content.topic), options].filter((part) => part !== '').join(' — ')}]`;
}
