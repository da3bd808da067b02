import type { OutgoingFile } from '../../../src/channel/port.ts';
import { PHOTO_UPLOAD_MAX_BYTES } from '../limits.ts';

/** How a file is sent: the method, and the parameter that holds the file. */
export interface MediaMethod {
  readonly method: string;
  readonly field: string;
  /** Parameters that go along. */
  readonly extra?: object;
}

/** Any file at all. */
export const asDocument: MediaMethod = { method: 'sendDocument', field: 'document' };

const photo: MediaMethod = { method: 'sendPhoto', field: 'photo' };
const animation: MediaMethod = { method: 'sendAnimation', field: 'animation' };
const video: MediaMethod = { method: 'sendVideo', field: 'video', extra: { supports_streaming: true } };
const audio: MediaMethod = { method: 'sendAudio', field: 'audio' };
const voice: MediaMethod = { method: 'sendVoice', field: 'voice' };

/** Formats that Telegram's apps show or play in place. https://core.telegram.org/bots/api#sendphoto and following */
const PHOTOS = new Set(['image/jpeg', 'image/png', 'image/webp']);
const SONGS = new Set(['audio/mpeg', 'audio/mp3', 'audio/mp4', 'audio/m4a', 'audio/x-m4a']);
const VOICES = new Set([...SONGS, 'audio/ogg', 'audio/opus']);

/** The way in which people see most of a file; pictures too large for one go as they are. */
export function methodFor({ kind, mime: given, bytes }: Pick<OutgoingFile, 'kind' | 'mime' | 'bytes'>): MediaMethod {
  const mime = given.split(';')[0]?.trim().toLowerCase() ?? '';
  switch (kind) {
    case 'image':
    case 'sticker':
      if (mime === 'image/gif') return animation;
      return PHOTOS.has(mime) && bytes <= PHOTO_UPLOAD_MAX_BYTES ? photo : asDocument;
    case 'video':
      return mime === 'video/mp4' ? video : mime === 'image/gif' ? animation : asDocument;
    case 'audio':
      return SONGS.has(mime) ? audio : asDocument;
    case 'voice':
      return VOICES.has(mime) ? voice : asDocument;
    case 'file':
      return asDocument;
    default:
      return kind satisfies never;
  }
}
