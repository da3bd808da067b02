import type { InboundFile } from '../../../../src/channel/message.ts';
import { safeFileName, safeName } from '../../../../src/format/safe-name.ts';
import type { ReadFacts } from './facts.ts';

/** What a message says, before quotes and mentions are looked for. `spoken`: a person typed it. */
export interface Content {
  readonly text: string;
  readonly files: readonly InboundFile[];
  readonly spoken?: true;
}

/** Null: nobody said anything. */
type Converter = (facts: ReadFacts) => Content | null;

const placeholder = (...words: readonly (string | undefined)[]): Content => ({
  text: `[${words.filter((word) => word !== undefined && word !== '').join(' ')}]`,
  files: [],
});

const oneLine = (text: string | undefined): string | undefined => (text === undefined ? undefined : safeName(text));

/** A message whose bytes only the process that holds the connection can fetch, by the message's id. */
function file(kind: InboundFile['kind'], extension: string, mime?: string): Converter {
  return ({ message: { id, filename } }) => {
    const name = safeFileName(filename ?? '', `${kind}-${id.replace(/[^\w-]/g, '').slice(-32)}${extension}`);
    // A name of its own tells better than what WeChat's apps make most often.
    const usual = filename === undefined && mime !== undefined ? { mime } : {};
    const told: InboundFile = { id, kind, name, ...usual };
    return { text: kind === 'image' ? '[image]' : `[${kind} ${name}]`, files: [told] };
  };
}

const location: Converter = ({ card, message: { text } }) => {
  // Some puppets hand on the XML of WeChat and look nothing up.
  const inXml = (name: string): string | undefined =>
    oneLine(new RegExp(`\\b${name}="([^"<]{1,200})"`).exec(text)?.[1]);
  const told = (word: string | undefined): string | undefined =>
    /^NO(NAME|ADDRESS)$/.test(word ?? '') ? undefined : oneLine(word);
  const where = [told(card?.title) ?? inXml('poiname'), told(card?.address) ?? inXml('label')]
    .filter(Boolean)
    .join(', ');
  const { latitude, longitude } = card ?? {};
  const point = latitude && longitude ? `${latitude}, ${longitude}` : undefined;
  return placeholder('location', [where, point].filter(Boolean).join(', '));
};

const link: Converter = ({ card, message: { text } }) => {
  const url = /^https?:\/\/\S+$/.test(card?.url ?? '') ? card?.url : undefined;
  const title = oneLine(card?.title) ?? (text.startsWith('<') ? undefined : oneLine(text || undefined));
  return placeholder('link', [title, url].filter(Boolean).join(', '));
};

/** Notices of the app that some puppets hand on as if somebody had said them. */
const NOTICE =
  /^(?:你已添加了|You have added |以上是打招呼的内容|The above is |.{1,80}拍了拍|.{1,80} (?:tickled|patted) |收到红包|.{1,80}开启了朋友验证|<sysmsg)/;

const unknown: Converter = ({ message: { text } }) =>
  text.trim() === '' || NOTICE.test(text) || text.includes('<sysmsg') ? null : placeholder('message');

/** By wechaty's numbers of kinds of messages: https://github.com/wechaty/puppet/blob/main/src/schemas/message.ts */
const converters: ReadonlyMap<number, Converter> = new Map<number, Converter>([
  [1, file('file', '')],
  [2, file('voice', '.sil', 'audio/silk')],
  [3, ({ card }) => placeholder('contact', oneLine(card?.title))],
  [4, ({ card }) => placeholder('chat history', oneLine(card?.title))],
  // Its text is XML, and its file would be fetched from an address that the sender wrote.
  [5, () => placeholder('sticker')],
  [6, file('image', '.jpg')],
  [7, ({ message: { text } }) => (text.trim() === '' || NOTICE.test(text) ? null : { text, files: [], spoken: true })],
  [8, location],
  [9, ({ card }) => placeholder('mini program', oneLine(card?.title))],
  [
    10,
    ({ message: { text } }) => placeholder('group note', text.startsWith('<') ? undefined : oneLine(text || undefined)),
  ],
  // Money is the owner's own business: nothing here takes it.
  [11, () => placeholder('transfer')],
  [12, () => placeholder('red packet')],
  [14, link],
  [15, file('video', '.mp4', 'video/mp4')],
  [16, ({ message: { text } }) => placeholder('post', text.startsWith('<') ? undefined : oneLine(text || undefined))],
]);

/** What a message says; kinds that nobody here knows are told as being there. */
export const contentOf: Converter = (facts) => (converters.get(facts.message.type) ?? unknown)(facts);
