import { createHash } from 'node:crypto';
import type { InboundFile } from '../../../../src/channel/message.ts';
import { safeFileName } from '../../../../src/format/safe-name.ts';
import { writeFileId } from '../file-id.ts';
import type { WireFile } from './wire.ts';

type Kind = Extract<InboundFile['kind'], 'image' | 'video' | 'file'>;

const EXTENSIONS: Readonly<Record<Kind, string>> = { image: '.jpg', video: '.mp4', file: '' };

/** A file that came with a message; WeCom tells its name only with its bytes, so until then it has one that tells files apart. */
export function fileOf(kind: Kind, file: WireFile): InboundFile | undefined {
  const { url, aeskey } = file;
  if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  // Addresses end after five minutes and are signed anew each time; the path stays.
  const mark = createHash('sha256').update(new URL(url).pathname).digest('hex').slice(0, 8);
  const made = `${kind}-${mark}${EXTENSIONS[kind]}`;
  return {
    id: writeFileId({ url, ...(aeskey === undefined || aeskey === '' ? {} : { key: aeskey }) }),
    kind,
    name: safeFileName(file.filename ?? file.name ?? '', made),
  };
}
