import type { InboundFile } from '../../../src/channel/message.ts';
import { safeFileName, safeName } from '../../../src/format/safe-name.ts';
import { FILE_DOWNLOAD_MAX_BYTES } from '../limits.ts';
import type { Contents, File } from './wire.ts';

/** Files of which Telegram tells no name get one that tells them apart. */
export function fileOf(kind: InboundFile['kind'], file: File, extension: string): InboundFile {
  const made = `${kind}-${file.file_unique_id}.${extension}`;
  return {
    id: file.file_id,
    kind,
    name: file.file_name === undefined ? made : safeFileName(file.file_name, made),
    ...(file.mime_type === undefined ? {} : { mime: file.mime_type }),
    ...(file.file_size === undefined ? {} : { bytes: file.file_size }),
  };
}

/** The largest size that bots may download. */
export function photoOf(sizes: readonly File[] | undefined): InboundFile | undefined {
  const allowed = sizes?.filter(({ file_size: bytes = 0 }) => bytes <= FILE_DOWNLOAD_MAX_BYTES) ?? [];
  const largest = allowed.at(-1) ?? sizes?.[0];
  return largest === undefined ? undefined : fileOf('image', { ...largest, mime_type: 'image/jpeg' }, 'jpg');
}

/** A song is known by its artist and title where it has no file name. */
export function songOf(audio: NonNullable<Contents['audio']>): InboundFile {
  const known = [audio.performer, audio.title].filter((part) => part !== undefined && part !== '');
  const named =
    audio.file_name ?? (known.length === 0 ? undefined : `${safeName(known.join(' - ').replace(/[/\\]/g, '_'))}.mp3`);
  return fileOf('audio', { ...audio, file_name: named }, 'mp3');
}

/** Pictures, animations and videos, by https://core.telegram.org/bots/api#sticker */
export function stickerOf(sticker: NonNullable<Contents['sticker']>): InboundFile {
  const [extension, mime] = sticker.is_animated
    ? ['tgs', 'application/x-tgsticker']
    : sticker.is_video
      ? ['webm', 'video/webm']
      : ['webp', 'image/webp'];
  return fileOf('sticker', { ...sticker, mime_type: sticker.mime_type ?? mime }, extension);
}
