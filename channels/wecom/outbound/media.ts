import { AntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile } from '../../../src/channel/port.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { FILE_OUT_MAX_BYTES, FILE_OUT_MIN_BYTES } from '../limits.ts';

/** What WeCom calls kinds of files. */
export type MediaKind = keyof typeof FILE_OUT_MAX_BYTES;

const FORMATS: Readonly<Record<Exclude<MediaKind, 'file'>, RegExp>> = {
  image: /\.(?:png|jpe?g)$/i,
  voice: /\.amr$/i,
  video: /\.mp4$/i,
};

/**
 * As what a file goes out: as what it is where the platform takes its format at this size, else as a document.
 * @throws AntlerError `too_large`; `unsupported` for one that is too small
 */
export function mediaKind({ kind, name, bytes }: OutgoingFile): MediaKind {
  if (bytes < FILE_OUT_MIN_BYTES)
    throw new AntlerError('unsupported', `WeCom takes no files of fewer than ${FILE_OUT_MIN_BYTES} bytes.`);
  const wished = kind === 'audio' || kind === 'sticker' || kind === 'file' ? 'file' : kind;
  if (wished !== 'file' && FORMATS[wished].test(name) && bytes <= FILE_OUT_MAX_BYTES[wished]) return wished;
  if (bytes > FILE_OUT_MAX_BYTES.file)
    throw new AntlerError('too_large', `WeCom takes files of at most ${FILE_OUT_MAX_BYTES.file} bytes.`);
  return 'file';
}

/** Nothing but a name, whatever the file is called. */
export const mediaName = ({ name, kind }: OutgoingFile): string => safeFileName(name, kind);
