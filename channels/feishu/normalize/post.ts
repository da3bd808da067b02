import type { InboundFile } from '../../../src/channel/message.ts';
import { type Content, inboundFile, type Source } from './content.ts';
import { isRecord, line } from './json.ts';

/** How deep a post may hide behind `post` and the name of a language. */
const WRAPPINGS_MAX = 3;

/** A rich text as Markdown, images and videos in their place. */
export function readPost({ messageId, content }: Source): Content {
  const body = bodyOf(content);
  if (body === undefined) return { text: '[post]', files: [] };
  const files: InboundFile[] = [];
  const rows = body.rows.map((row) => row.map((element) => elementText(element, messageId, files)).join(''));
  const text = [body.title, ...rows].join('\n').trim();
  return { text: text === '' ? '[post]' : text, files };
}

interface Body {
  readonly title: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** It comes bare, or under a language, or under `post` and a language. */
function bodyOf(content: Readonly<Record<string, unknown>>, wrappings = 0): Body | undefined {
  if (Array.isArray(content.content)) {
    const rows = content.content.map((row: unknown) => (Array.isArray(row) ? row : [row]));
    return { title: line(content.title), rows };
  }
  if (wrappings >= WRAPPINGS_MAX) return undefined;
  for (const inner of Object.values(content)) {
    const found = isRecord(inner) ? bodyOf(inner, wrappings + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const MARKS: ReadonlyMap<unknown, string> = new Map([
  ['bold', '**'],
  ['italic', '_'],
  ['lineThrough', '~~'],
  ['strikethrough', '~~'],
  ['codeInline', '`'],
]);

/** One element of a line; files that it shows are added to `files`. */
export function elementText(element: unknown, messageId: string, files: InboundFile[]): string {
  if (!isRecord(element)) return '';
  const text = typeof element.text === 'string' ? element.text : '';
  switch (element.tag) {
    case 'text':
      return styled(text, element.style);
    case 'a':
      return line(element.href) === '' || element.href === text ? text : `[${text}](${line(element.href)})`;
    case 'at':
      return mentionText(element);
    case 'img':
      return attached('image', element.image_key, 'image.jpg', messageId, files);
    case 'media':
      return attached('video', element.file_key, 'video.mp4', messageId, files);
    case 'emotion':
      return `[${line(element.emoji_type) || 'emoji'}]`;
    case 'code_block':
      return `\n\`\`\`${line(element.language).toLowerCase()}\n${text.replace(/\n$/, '')}\n\`\`\`\n`;
    case 'hr':
      return '\n---\n';
    default:
      return text === '' ? line(element.content) : text; // `md` and whatever comes next
  }
}

function styled(text: string, style: unknown): string {
  if (!Array.isArray(style) || text.trim() === '') return text;
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  const marks = style.map((name) => MARKS.get(name) ?? '');
  return `${before}${marks.join('')}${words}${marks.toReversed().join('')}${after}`;
}

/** A placeholder of the list of mentions, or a person who is named here alone. */
function mentionText(element: Record<string, unknown>): string {
  const id = line(element.user_id);
  if (id.startsWith('@_')) return id;
  if (id === 'all' || id === 'all_members') return '@_all';
  return `@${line(element.user_name) || id || 'someone'}`;
}

function attached(
  kind: 'image' | 'video',
  key: unknown,
  name: string,
  messageId: string,
  files: InboundFile[],
): string {
  const found = line(key);
  if (found !== '') files.push(inboundFile(messageId, kind, found, name));
  return `[${kind}]`;
}
