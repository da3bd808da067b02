import type { InboundFile } from '../../../../src/channel/message.ts';
import { safeFileName } from '../../../../src/format/safe-name.ts';
import { ITEM, type QuotedItem } from '../wire.ts';
import { fileOf } from './files.ts';

/** What an item says and carries. */
export interface Content {
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** Stands for what cannot be said in words; used where nothing of the message can. */
  readonly placeholder: string;
}

type Converter = (item: QuotedItem, id: string) => Content | null;

const nothing = { text: '', files: [], placeholder: '' } as const;

const media =
  (kind: string): Converter =>
  (item, id) => {
    const file = fileOf(item, id);
    const named = safeFileName(item.file_item?.file_name ?? '', '');
    const placeholder = named === '' ? `[${kind}]` : `[${kind} ${named}]`;
    return { ...nothing, files: file === undefined ? [] : [file], placeholder };
  };

/** One converter a kind of item; null: nobody says it to anybody. */
const converters: ReadonlyMap<number, Converter> = new Map<number, Converter>([
  [ITEM.text, ({ text_item: text }) => ({ ...nothing, text: text?.text ?? '' })],
  [ITEM.image, media('image')],
  [ITEM.voice, voice],
  [ITEM.file, media('file')],
  [ITEM.video, media('video')],
  [ITEM.toolStart, () => null],
  [ITEM.toolResult, () => null],
]);

/** WeChat writes down what was spoken; where it does not, the recording is all there is. */
function voice(item: QuotedItem, id: string): Content | null {
  const said = item.voice_item?.text?.trim() ?? '';
  return said === '' ? media('voice')(item, id) : { ...nothing, text: said };
}

/** Reads one item; a kind that nobody knows yet reads as its number, e.g. `[message of kind 99]`. */
export function contentOf(item: QuotedItem, id: string): Content | null {
  const kind = item.type ?? 0;
  const convert = converters.get(kind);
  if (convert !== undefined) return convert(item, id);
  return { ...nothing, placeholder: kind === 0 ? '[message]' : `[message of kind ${kind}]` };
}

/** Several items as one; null when there is nothing in any. */
export function joined(contents: readonly (Content | null)[]): Content | null {
  const there = contents.filter((content) => content !== null);
  const text = there.map((content) => content.text).filter((part) => part !== '');
  const placeholders = there.map(({ placeholder }) => placeholder).filter((part) => part !== '');
  const files = there.flatMap((content) => content.files);
  if (text.length === 0 && placeholders.length === 0 && files.length === 0) return null;
  return { text: text.join('\n'), files, placeholder: placeholders.join(' ') };
}

/** The text, or what stands for it. */
export const readable = ({ text, placeholder }: Content): string => (text === '' ? placeholder : text);
