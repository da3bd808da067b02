import type { FileId, ImUserKey, ThreadId } from '../base/ids.ts';
import type { InboundFile } from '../channel/message.ts';
import type { FileProblem } from '../harness/log.ts';
import type { FileMeta } from '../store/port.ts';

/** A file that came with an admitted message, and where it belongs. Its `file.id` may hold a key: never logged. */
export interface Wish {
  readonly id: FileId;
  readonly thread: ThreadId;
  readonly channel: string;
  readonly chat: string;
  readonly owner: ImUserKey;
  readonly file: InboundFile;
}

/** What became of a wish: it is in the store, or it cannot be had. */
export type Arrival = FileMeta | { readonly problem: FileProblem };

/** Where a worker gets the files of a turn. It has no adapters: gateways fetch. */
export interface Arrivals {
  /** Resolves when all have come, cannot be had, or have not come in time; never rejects. Ends early with `signal`. */
  of(wishes: readonly Wish[], signal: AbortSignal): Promise<ReadonlyMap<FileId, Arrival>>;
}
