import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { type ImUserKey, newFileId, type ThreadId } from '../base/ids.ts';
import { safeMime } from '../base/mime.ts';
import { safeFileName } from '../format/safe-name.ts';
import type { FileAccess } from '../harness/port.ts';
import type { Store } from '../store/port.ts';

/** Whose files a run may read, and whose it makes. */
export interface FileScope {
  readonly thread: ThreadId;
  readonly channel: string;
  readonly chat: string;
  /** For whom the run works. */
  readonly owner: ImUserKey;
}

/** The files of one conversation: an id from anywhere else names nothing here. */
export function runFiles(files: Store['files'], clock: Pick<Clock, 'now'>, scope: FileScope): FileAccess {
  return {
    read: async (id) => {
      const meta = await files.get(id);
      const isHere = meta !== null && meta.channel === scope.channel && meta.chat === scope.chat;
      const content = isHere ? await files.read(id) : null;
      if (content === null) throw new AntlerError('not_found', 'the file is not here, or no more.');
      return content;
    },
    add: async (file, content) => {
      const name = safeFileName(file.name, 'file');
      const mime = safeMime(file.mime, name);
      const meta = await files.put(
        { id: newFileId(), kind: file.kind, name, mime, ...scope, direction: 'out', createdAt: clock.now() },
        content,
      );
      return { id: meta.id, kind: meta.kind, name: meta.name, mime: meta.mime, bytes: meta.bytes };
    },
  };
}
