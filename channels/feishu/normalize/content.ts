import type { InboundFile } from '../../../src/channel/message.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { resourceId } from '../resource.ts';
import { readCard } from './card.ts';
import { isRecord, line, parseObject } from './json.ts';
import { readPost } from './post.ts';

/** What a message says and carries. Mentions are still placeholders. */
export interface Content {
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** Its text is only to be had by another call: a merged forward. */
  readonly isForward?: boolean;
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

/** One converter a message type. https://open.feishu.cn/document/server-docs/im-v1/message-content-description/message_content */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['text', ({ content }) => said(typeof content.text === 'string' ? content.text : '')],
  ['post', readPost],
  ['image', file('image', 'jpg', 'image_key')],
  ['file', file('file', 'bin')],
  ['audio', file('voice', 'opus')],
  ['media', file('video', 'mp4')],
  ['folder', placeholder('folder', field('file_name'))],
  ['sticker', placeholder('sticker')],
  ['interactive', readCard],
  ['merge_forward', () => ({ ...said('[forwarded messages]'), isForward: true })],
  ['share_chat', placeholder('group card', field('chat_name'), field('chat_id'))],
  ['share_user', placeholder('contact card', field('user_name'), field('user_id'))],
  ['location', placeholder('location', field('name'), field('latitude'), field('longitude'))],
  [
    'todo',
    placeholder('task', ({ summary }) =>
      isRecord(summary) ? readPost({ messageId: '', content: summary }).text : summary,
    ),
  ],
  ['vote', ({ content }) => said(voteText(content))],
  ['calendar', placeholder('calendar event', field('summary'))],
  ['share_calendar_event', placeholder('calendar event', field('summary'))],
  ['general_calendar', placeholder('calendar event', field('summary'))],
  ['hongbao', placeholder('red packet', field('text'))],
  ['video_chat', placeholder('video call', field('topic'))],
  [
    'system',
    placeholder('system message', ({ template }) =>
      line(template)
        .replace(/\{\w+\}/g, '')
        .trim(),
    ),
  ],
]);

/** Reads what a message of a type says. A type that nobody knows yet reads as its name, e.g. `[hologram]`; never throws. */
export function contentOf(type: string, raw: string, messageId: string): Content {
  const content = parseObject(raw);
  if (content === undefined && type === 'text') return said('[message]');
  const convert = converters.get(type);
  if (convert === undefined) return said(`[${line(type).replaceAll('_', ' ') || 'message'}]`);
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

function voteText(content: Source['content']): string {
  const options = Array.isArray(content.options) ? content.options.map(line).join(' / ') : '';
  return `[poll ${[line(content.topic), options].filter((part) => part !== '').join(' — ')}]`;
}
