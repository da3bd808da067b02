import type { InboundFile } from '../../../../src/channel/message.ts';
import { safeFileName } from '../../../../src/format/safe-name.ts';
import { writeMediaId } from '../media-id.ts';
import { type Element, textAt } from '../xml.ts';

/** What a message says and carries. */
export interface Content {
  readonly text: string;
  readonly files: readonly InboundFile[];
}

type Converter = (message: Element) => Content;

const said = (text: string): Content => ({ text, files: [] });

const media =
  (kind: InboundFile['kind'], extension: string, wordsAt?: string): Converter =>
  (message) => {
    const id = textAt(message, 'MediaId');
    const words = wordsAt === undefined ? '' : (textAt(message, wordsAt) ?? '').trim();
    const text = words === '' ? `[${kind}]` : words;
    if (id === undefined || id === '') return said(text);
    const made = `${kind}-${(textAt(message, 'MsgId') ?? '').slice(-8)}${extension}`;
    const name = safeFileName(textAt(message, 'FileName') ?? textAt(message, 'Title') ?? '', made);
    return { text, files: [{ id: writeMediaId(id), kind, name }] };
  };

/** One converter a kind of message. https://developer.work.weixin.qq.com/document/path/90239 */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['text', (message) => said(words(textAt(message, 'Content')))],
  ['image', media('image', '.jpg')],
  // Written down by WeCom where the company has that switched on.
  ['voice', media('voice', '.amr', 'Recognition')],
  ['video', media('video', '.mp4')],
  ['shortvideo', media('video', '.mp4')],
  ['file', media('file', '')],
  ['location', (message) => said(placeholder('location', textAt(message, 'Label'), position(message)))],
  ['link', (message) => said(linked(message))],
]);

/** Reads what a message says; a kind that nobody knows yet reads as its name, e.g. `[brand new]`. */
export function contentOf(type: string, message: Element): Content {
  const convert = converters.get(type);
  return convert === undefined
    ? said(placeholder(type.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'message'))
    : convert(message);
}

const words = (text = ''): string => (text.trim() === '' ? '[empty message]' : text);

const position = (message: Element): string =>
  [textAt(message, 'Location_X'), textAt(message, 'Location_Y')]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');

function linked(message: Element): string {
  const parts = ['Title', 'Description', 'Url'].map((name) => textAt(message, name)?.trim() ?? '');
  return parts.filter((part) => part !== '').join('\n') || '[link]';
}

export const placeholder = (...parts: readonly (string | undefined)[]): string =>
  `[${parts
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, 500)}]`;
