import type { InboundFile } from '../../../src/channel/message.ts';
import { fileOf, photoOf, songOf, stickerOf } from './files.ts';
import { richContent } from './rich.ts';
import { chatName } from './sender.ts';
import type { Contents, Entity } from './wire.ts';

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
    key: 'document' | 'animation' | 'voice' | 'video' | 'video_note',
    extension: string,
  ): Converter =>
  ({ [key]: file }) =>
    file && carried(fileOf(kind, file, extension));

/** One converter a kind of message, asked in this order: an animation, for one, is a document too. */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['text', ({ text, entities = [] }) => (text === undefined ? undefined : { text, entities })],
  ['rich_message', ({ rich_message: rich }) => rich && richContent(rich.blocks)],
  ['photo', ({ photo }) => pictured(photoOf(photo))],
  ['live_photo', ({ live_photo: live }) => live && pictured(photoOf(live.photo) ?? fileOf('video', live, 'mp4'))],
  ['animation', media('video', 'animation', 'mp4')],
  ['document', media('file', 'document', 'bin')],
  ['audio', ({ audio }) => audio && carried(songOf(audio))],
  ['voice', media('voice', 'voice', 'ogg')],
  ['video', media('video', 'video', 'mp4')],
  ['video_note', media('video', 'video_note', 'mp4')],
  ['paid_media', ({ paid_media: paid }) => paid && paidContent(paid)],
  [
    'sticker',
    ({ sticker }) => sticker && { files: [stickerOf(sticker)], placeholder: words('sticker', sticker.emoji) },
  ],
  ['story', ({ story }) => story && storyContent(story)],
  ['venue', ({ venue }) => venue && said('venue', [venue.title, venue.address].join(', '))],
  ['location', ({ location }) => location && said('location', `${location.latitude}, ${location.longitude}`)],
  ['contact', ({ contact }) => contact && said('contact', contact.first_name, contact.last_name, contact.phone_number)],
  ['poll', ({ poll }) => poll && said('poll', poll.question, ...listed(poll.options))],
  ['checklist', ({ checklist }) => checklist && said('checklist', checklist.title, ...listed(checklist.tasks))],
  ['dice', ({ dice }) => dice && said('dice', dice.emoji, String(dice.value))],
  ['game', ({ game }) => game && said('game', game.title)],
  ['invoice', ({ invoice }) => invoice && said('invoice', invoice.title)],
  ['giveaway', ({ giveaway }) => giveaway && said('giveaway', giveaway.prize_description)],
  ['giveaway_winners', ({ giveaway_winners: won }) => won && said('giveaway winners', won.prize_description)],
]);

/** Reads what a message says; a kind that nobody knows yet reads as its name, e.g. `[brand new]`. */
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

const words = (...parts: readonly (string | undefined)[]): string =>
  `[${parts
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .replace(/\s+/g, ' ')}]`;

const listed = (items: readonly { readonly text: string }[]): string[] =>
  items.length === 0 ? [] : ['—', items.map(({ text }) => text).join(' / ')];

const said = (...parts: readonly (string | undefined)[]): Partial<Content> => ({ placeholder: words(...parts) });

const carried = (file: InboundFile): Partial<Content> => ({
  files: [file],
  placeholder: words(file.kind, file.name),
});

const pictured = (file: InboundFile | undefined): Partial<Content> | undefined =>
  file && { files: [file], placeholder: words(file.kind) };

/** What has been paid for is a picture or a video as any other; the rest cannot be seen by bots either. */
function paidContent({ paid_media: items, star_count: stars }: NonNullable<Contents['paid_media']>): Partial<Content> {
  const files = items.flatMap(({ photo, video }) => photoOf(photo) ?? (video ? fileOf('video', video, 'mp4') : []));
  return { files, placeholder: words('paid media', stars === undefined ? undefined : `for ${stars} stars`) };
}

/** Bots are not shown stories, only whose they are. */
export const storyContent = ({ chat }: NonNullable<Contents['story']>): Partial<Content> =>
  chat === undefined ? said('story') : said('story of', chatName(chat));

/** Fields that say something about a message rather than being what it says. */
const ENVELOPE =
  /^(?:message_id|ephemeral_message_id|date|edit_date|chat|from|message_thread_id|media_group_id|author_signature|reply_(?:to_\w+|markup)|external_reply|quote|effect_id|caption\w*|entities|origin|(?:is|has|show|via|sender|forward|business|receiver|link_preview|direct_messages|suggested|paid_star|guest)_\w+)$/;

function unknownKind(message: Record<string, unknown>): string {
  const kind = Object.keys(message).find((key) => !ENVELOPE.test(key) && message[key] !== undefined);
  return kind === undefined ? '[message]' : `[${kind.replaceAll('_', ' ')}]`;
}
