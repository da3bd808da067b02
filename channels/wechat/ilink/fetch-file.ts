import { AntlerError } from '../../../src/base/errors.ts';
import { pictureKind } from '../../../src/base/picture.ts';
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
  const found = pictureKind(content); // WeChat does not say
  if (found === undefined) return { content };
  return { content, mime: found.mime, name: file.name.replace(/\.\w+$/, `.${found.extension}`) };
}
