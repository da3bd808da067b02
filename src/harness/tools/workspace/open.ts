import type { FileId } from '../../../base/ids.ts';
import type { Workspace } from '../../sandbox/port.ts';
import { filesOf } from '../../transcript/images.ts';
import type { ToolContext } from '../port.ts';

/** Of the newest files of a conversation so many are put below `uploads`. */
const MAX_UPLOADS = 50;

/** What a run has put there already; a workspace is opened once a run. */
const received = new WeakMap<Workspace, Set<FileId>>();

/**
 * The workspace, with what people have sent in this conversation below `uploads`: put there when a tool may look, since
 * most turns never do. A file that cannot be had is left out; who asks for it by name is told why.
 */
export async function openWithUploads(context: ToolContext, signal: AbortSignal): Promise<Workspace> {
  const workspace = await context.workspace();
  const sent = context.log.flatMap((entry) => (entry.kind === 'user' ? filesOf(entry) : []));
  const there = received.get(workspace) ?? new Set();
  received.set(workspace, there);
  for (const file of sent.slice(-MAX_UPLOADS)) {
    if (there.has(file.id)) continue;
    signal.throwIfAborted();
    // What cannot be had yet may be had at the next look.
    await workspace
      .receive(file, () => context.files.read(file.id, signal))
      .then(
        () => there.add(file.id),
        () => {},
      );
  }
  return workspace;
}
