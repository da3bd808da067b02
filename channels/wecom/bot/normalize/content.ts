import type { InboundFile } from '../../../../src/channel/message.ts';
import { fileOf } from './files.ts';
import { type Contents, type Item, itemsOf, type WireFile } from './wire.ts';

/** What a message says and carries. */
export interface Content {
  /** What was written or spoken; empty where there are no words. */
  readonly words: string;
  readonly files: readonly InboundFile[];
  /** Stands for what cannot be said in words. */
  readonly placeholder: string;
}

type Converter = (contents: Contents) => Content;

const said = (words: string | undefined, placeholder: string): Content => ({
  words: words ?? '',
  files: [],
  placeholder,
});

function carried(kind: 'image' | 'video' | 'file', file: WireFile | undefined): Content {
  const found = file === undefined ? undefined : fileOf(kind, file);
  return { words: '', files: found === undefined ? [] : [found], placeholder: `[${kind}]` };
}

/** One converter a kind of message. */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['text', ({ text }) => said(text?.content, '[empty message]')],
  // WeCom has written down what was said; the sound itself is not to be had.
  ['voice', ({ voice }) => said(voice?.content, '[voice]')],
  ['image', ({ image }) => carried('image', image)],
  ['video', ({ video }) => carried('video', video)],
  ['file', ({ file }) => carried('file', file)],
  ['mixed', (contents) => joined(itemsOf(contents))],
]);

/** Reads what a message says; a kind that nobody knows yet reads as its name, e.g. `[brand new]`. */
export function contentOf(contents: Contents): Content {
  const convert = converters.get(contents.msgtype);
  if (convert !== undefined) return convert(contents);
  const kind = contents.msgtype
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 40);
  return { words: '', files: [], placeholder: `[${kind === '' ? 'message' : kind}]` };
}

function joined(items: readonly Item[]): Content {
  // A mixed message in a mixed message is nothing that WeCom makes.
  const parts = items
    .filter(({ msgtype }) => msgtype !== 'mixed')
    .map((item) => contentOf({ ...item, mixed: undefined }));
  return {
    words: parts
      .map(({ words }) => words)
      .filter((words) => words.trim() !== '')
      .join('\n'),
    files: parts.flatMap(({ files }) => files),
    placeholder: parts.map(({ placeholder }) => placeholder).join(' ') || '[mixed]',
  };
}

/** The words, or what stands for them. */
export const readable = ({ words, placeholder }: Content): string => (words.trim() === '' ? placeholder : words);
