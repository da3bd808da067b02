import type { FileId } from '../base/ids.ts';
import { safeMime } from '../base/mime.ts';
import type { InboundFile } from '../channel/message.ts';
import { safeFileName } from '../format/safe-name.ts';
import type { FileInfo, LoggedFile } from '../harness/log.ts';
import type { Arrival } from './port.ts';

const EXTENSIONS: Readonly<Record<InboundFile['kind'], string>> = {
  image: '.jpg',
  sticker: '.webp',
  voice: '.ogg',
  audio: '.mp3',
  video: '.mp4',
  file: '',
};

/** Name and type as they may stand anywhere. `fetched`: what the platform said of them when it handed the bytes over. */
export function namesOf(
  file: InboundFile,
  fetched: { readonly name?: string; readonly mime?: string } = {},
): Pick<FileInfo, 'name' | 'mime'> {
  const name = safeFileName(fetched.name ?? file.name, `${file.kind}${EXTENSIONS[file.kind]}`);
  return { name, mime: safeMime(fetched.mime ?? file.mime, name) };
}

/** A file as the log keeps it. */
export function loggedFile(id: FileId, file: InboundFile, arrival: Arrival | undefined): LoggedFile {
  if (arrival !== undefined && !('problem' in arrival)) {
    const { kind, name, mime, bytes } = arrival;
    return { id, kind, name, mime, bytes };
  }
  return { id, kind: file.kind, ...namesOf(file), bytes: file.bytes ?? 0, problem: arrival?.problem ?? 'late' };
}
