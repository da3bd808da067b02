import type { RunContext } from '../port.ts';
import type { Wanted } from './permission.ts';

const byRun = new WeakMap<RunContext, Map<string, Wanted>>();

/** An agent of this run has stopped because it needs a permission; the middleware for that puts the question. */
export function wantPermission(run: RunContext, agent: string, wanted: Wanted): void {
  const known = byRun.get(run) ?? new Map<string, Wanted>();
  byRun.set(run, known.set(agent, wanted));
}

/** What this agent has stopped for since the last time it was asked about it. */
export function takeWanted(run: RunContext, agent: string): Wanted | undefined {
  const wanted = byRun.get(run)?.get(agent);
  byRun.get(run)?.delete(agent);
  return wanted;
}
