import type { LogEntry, SummaryEntry } from '../log.ts';
import { type Block, pairCalls } from './pair.ts';

/** The newest summary of a log, and where what it covers ends. */
export interface Covered {
  readonly summary: SummaryEntry;
  /** Index of the last entry that it covers; -1 when that is older than the log at hand. */
  readonly until: number;
}

/** Null when nothing was summed up yet. Looks from the end, so that a long log costs no more than what is shown of it. */
export function coveredIn(log: readonly LogEntry[]): Covered | null {
  const at = log.findLastIndex((entry) => entry.kind === 'summary');
  const summary = log[at];
  if (summary?.kind !== 'summary') return null;
  let until = at - 1;
  while (until >= 0 && (log[until]?.kind === 'summary' || log[until]?.id !== summary.covers)) until--;
  return { summary, until };
}

/**
 * What a summary does not stand for, as blocks. What people have said in this turn is never summed up, whatever it
 * covers.
 */
export function uncovered(log: readonly LogEntry[], covered: Covered | null, turnStart: number): readonly Block[] {
  if (covered === null) return pairCalls(log);
  const { until } = covered;
  const said: Block[] = [];
  for (let index = turnStart; index <= until; index++) {
    const entry = log[index];
    if (entry?.kind === 'user') said.push({ kind: 'user', entry, index });
  }
  return [...said, ...pairCalls(log, until + 1)];
}
