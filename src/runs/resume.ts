import type { RunId, ThreadId } from '../base/ids.ts';
import type { LogEntry } from '../harness/log.ts';
import type { Store } from '../store/port.ts';

/** Runs of a turn that are looked back on; a turn is given up after fewer. */
const MAX_RUNS = 8;

/**
 * What earlier runs of a turn have done that were cut off before they committed: up to the last tool call that ended.
 * Empty mostly.
 */
export async function workDone(
  store: Pick<Store, 'log' | 'runs'>,
  thread: ThreadId,
  firstSeq: number,
  lastCommit: RunId | null,
): Promise<readonly LogEntry[]> {
  const runs = await store.runs.list(thread, MAX_RUNS);
  // The newest holds what it took over; it holds nothing when it was cut off before it wrote.
  for (const run of runs) {
    // Nobody else has the thread: what has not committed has been cut off.
    if (run.status === 'committed' || run.id === lastCommit || run.firstSeq !== firstSeq) continue;
    const done = untilLastResult(await store.log.ofRun(thread, run.id));
    if (done.length > 0) return done;
  }
  return [];
}

/** Without what people said and what was heard, which come again, and without calls' endings that were no ends of theirs. */
export function untilLastResult(entries: readonly LogEntry[]): readonly LogEntry[] {
  const isNew = (entry: LogEntry): boolean => entry.kind === 'user' || entry.kind === 'heard';
  const kept = entries.filter((entry) => !isNew(entry) && !(entry.kind === 'tool' && entry.cut === true));
  return kept.slice(0, kept.findLastIndex(({ kind }) => kind === 'tool') + 1);
}
