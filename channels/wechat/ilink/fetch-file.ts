import { AntlerError } from '../../../src/base/errors.ts';
import type { InboundFile } from '../../../src/channel/message.ts';
import type { FetchedFile, FetchOptions } from '../../../src/channel/port.ts';
import { download } from './cdn.ts';
import { readFileId } from './file-id.ts';

/** Fetches the bytes of a file that came with a message. */
export async function fetchFile(cdnRoot: string, file: InboundFile, options: FetchOptions): Promise<FetchedFile> {
  const source = readFileId(file.id);
  if (source === null) throw new AntlerError('not_found', 'This is no file of WeChat’s.');
  const content = await download(cdnRoot, source, options);
  if (file.kind !== 'image') return { content };
  const found = PICTURES.find(({ begins }) => content.subarray(0, begins.length).equals(begins));
  if (found === undefined) return { content };
  return { content, mime: found.mime, name: file.name.replace(/\.\w+$/, `.${found.extension}`) };
}

/** WeChat does not say of what kind a picture is; its first bytes do. */
const PICTURES = [
  { begins: Buffer.from([0xff, 0xd8, 0xff]), mime: 'image/jpeg', extension: 'jpg' },
  { begins: Buffer.from([0x89, 0x50, 0x4e, 0x47]), mime: 'image/png', extension: 'png' },
  { begins: Buffer.from('GIF8'), mime: 'image/gif', extension: 'gif' },
  { begins: Buffer.from('BM'), mime: 'image/bmp', extension: 'bmp' },
] as const;
