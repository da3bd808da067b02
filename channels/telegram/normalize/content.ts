import type { InboundFile } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import { FILE_DOWNLOAD_MAX_BYTES } from '../limits.ts';
import type { Contents, Entity, File } from './wire.ts';

/** What a message says and carries. */
export interface Content {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly files: readonly InboundFile[];
  /** Stands for what cannot be said in words; used where there is no caption. */
  readonly placeholder: string;
}

type Converter = (message: Contents) => Partial<Content> | undefined;

const media =
  (
    kind: InboundFile['kind'],
    key: 'document' | 'animation' | 'audio' | 'voice' | 'video' | 'video_note',
    extension: string,
  ): Converter =>
  (message) => {
    const file = message[key];
    if (file === undefined) return undefined;
    const found = fileOf(kind, file, extension);
    return { files: [found], placeholder: `[${kind} ${found.name}]` };
  };

/** One converter a kind of message, asked in this order: an animation, for one, is a document too. */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['text', ({ text, entities = [] }) => (text === undefined ? undefined : { text, entities })],
  ['photo', (message) => photoContent(message.photo)],
  ['animation', media('video', 'animation', 'mp4')],
  ['document', media('file', 'document', 'bin')],
  ['audio', media('audio', 'audio', 'mp3')],
  ['voice', media('voice', 'voice', 'ogg')],
  ['video', media('video', 'video', 'mp4')],
  ['video_note', media('video', 'video_note', 'mp4')],
  ['sticker', ({ sticker }) => stickerContent(sticker)],
  ['venue', ({ venue }) => venue && said(`[venue ${venue.title}, ${venue.address}]`)],
  ['location', ({ location }) => location && said(`[location ${location.latitude}, ${location.longitude}]`)],
  [
    'contact',
    ({ contact }) =>
      contact &&
      said(
        `[contact ${[contact.first_name, contact.last_name, contact.phone_number].filter((part) => part !== undefined).join(' ')}]`,
      ),
  ],
  ['poll', ({ poll }) => poll && said(`[poll ${poll.question} — ${poll.options.map(({ text }) => text).join(' / ')}]`)],
  ['dice', ({ dice }) => dice && said(`[dice ${dice.emoji} ${dice.value}]`)],
  ['game', ({ game }) => game && said(`[game ${game.title}]`)],
]);

/** Reads what a message says; a kind that nobody knows yet reads as its name, e.g. `[checklist]`. */
export function contentOf(message: Contents & Record<string, unknown>): Content {
  const caption = { text: message.caption ?? '', entities: message.caption_entities ?? [] };
  const empty = { ...caption, files: [], placeholder: '' };
  for (const convert of converters.values()) {
    const found = convert(message);
    if (found !== undefined) return { ...empty, ...found };
  }
  return { ...empty, placeholder: unknownKind(message) };
}

/** The text, or what stands for it. */
export const readable = ({ text, placeholder }: Content): string => (text === '' ? placeholder : text);

const said = (placeholder: string): Partial<Content> => ({ placeholder });

/** The largest size that bots may download. */
function photoContent(sizes: readonly File[] | undefined): Partial<Content> | undefined {
  const allowed = sizes?.filter(({ file_size: bytes = 0 }) => bytes <= FILE_DOWNLOAD_MAX_BYTES) ?? [];
  const largest = allowed.at(-1) ?? sizes?.[0];
  if (largest === undefined) return undefined;
  return { files: [fileOf('image', { ...largest, mime_type: 'image/jpeg' }, 'jpg')], placeholder: '[image]' };
}

function stickerContent(sticker: Contents['sticker']): Partial<Content> | undefined {
  if (sticker === undefined) return undefined;
  const placeholder = sticker.emoji === undefined ? '[sticker]' : `[sticker ${sticker.emoji}]`;
  return { files: [fileOf('sticker', sticker, 'webp')], placeholder };
}

function fileOf(kind: InboundFile['kind'], file: File, extension: string): InboundFile {
  const name = file.file_name === undefined ? `${kind}-${file.file_unique_id}.${extension}` : safeName(file.file_name);
  return {
    id: file.file_id,
    kind,
    name,
    ...(file.mime_type === undefined ? {} : { mime: file.mime_type }),
    ...(file.file_size === undefined ? {} : { bytes: file.file_size }),
  };
}

/** Fields that say something about a message rather than being what it says. */
const ENVELOPE =
  /^(?:message_id|ephemeral_message_id|date|edit_date|chat|from|message_thread_id|media_group_id|author_signature|reply_(?:to_\w+|markup)|external_reply|quote|effect_id|caption\w*|entities|origin|(?:is|has|show|via|sender|forward|business|receiver|link_preview|direct_messages|suggested|paid_star|guest)_\w+)$/;

function unknownKind(message: Record<string, unknown>): string {
  const kind = Object.keys(message).find((key) => !ENVELOPE.test(key) && message[key] !== undefined);
  return kind === undefined ? '[message]' : `[${kind.replaceAll('_', ' ')}]`;
}
