import type { Clock } from '../base/clock.ts';
import { type FileId, type ImUserKey, inboundFileId, type ThreadId } from '../base/ids.ts';
import type { FileRef, HostedFiles } from '../channel/port.ts';
import type { FileMeta, Store } from '../store/port.ts';
import { namesOf } from './describe.ts';

export interface HostedFilesOptions {
  readonly files: Store['files'];
  readonly channel: string;
  readonly maxBytes: number;
  /** The conversation that somebody has in a chat, and who they are. */
  readonly place: (chat: string, user: string) => Promise<{ readonly thread: ThreadId; readonly owner: ImUserKey }>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * The files of a channel whose messages nobody else keeps. They lie where a gateway would put them after fetching, so
 * there is nothing left to fetch.
 */
export function hostedFiles({ files, channel, maxBytes, place, clock }: HostedFilesOptions): HostedFiles {
  const here = async (chat: string, id: FileId): Promise<FileMeta | null> => {
    const meta = await files.get(id);
    return meta !== null && meta.channel === channel && meta.chat === chat ? meta : null;
  };
  return {
    maxBytes,
    keep: async ({ chat, user, message, file }, content) => {
      const id = inboundFileId(channel, chat, message, file.id);
      const names = namesOf(file);
      const where = { ...(await place(chat, user)), channel, chat };
      return refOf(
        await files.put({ id, ...where, kind: file.kind, ...names, direction: 'in', createdAt: clock.now() }, content),
      );
    },
    find: async (chat, message, ref) => {
      const meta = await here(chat, inboundFileId(channel, chat, message, ref));
      return meta === null ? null : refOf(meta);
    },
    read: async (chat, id) => {
      const meta = await here(chat, id);
      const content = meta === null ? null : await files.read(id);
      return meta === null || content === null ? null : { ...refOf(meta), content };
    },
  };
}

const refOf = ({ id, kind, name, mime, bytes }: FileMeta): FileRef => ({ id, kind, name, mime, bytes });
