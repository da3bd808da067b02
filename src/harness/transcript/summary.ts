import type { LogEntry, SummaryEntry } from '../log.ts';
import type { Block } from './pair.ts';

/** The newest summary of a log, and where what it covers ends. */
export interface Covered {
  readonly summary: SummaryEntry;
  /** Index of the last entry that it covers; -1 when that is older than the log at hand. */
  readonly until: number;
}

/** Null when nothing was summed up yet. */
export function coveredIn(log: readonly LogEntry[]): Covered | null {
  const summary = log.findLast((entry) => entry.kind === 'summary');
  if (summary === undefined) return null;
  return { summary, until: log.findIndex(({ id, kind }) => kind !== 'summary' && id === summary.covers) };
}

/** What a summary does not stand for. What people have said in this turn is never summed up, whatever it covers. */
export function uncovered(blocks: readonly Block[], covered: Covered | null, turnStart: number): readonly Block[] {
  if (covered === null) return blocks;
  return blocks.filter(({ index, kind }) => index > covered.until || (kind === 'user' && index >= turnStart));
}
