import { DELEGATIONS, type Delegation, readLedger } from '../subagents/ledger.ts';
import { openItems, readTodo, TODO, writtenTodo } from '../todo/list.ts';
import { asData, asName, framed } from '../transcript/frame.ts';
import { coveredIn } from '../transcript/summary.ts';
import type { MiddlewareKind, Run } from './port.ts';

const MAX_DELEGATIONS = 12;
const MAX_LEDGER_CHARS = 4_000;

/**
 * Reminds the model of what a conversation keeps beside its messages: items of its list that are open, and, where
 * messages were summed up, what was handed to sub-agents. Stands with this turn's messages and stays as it is through
 * the turn, so that what comes before it stays cached; what changes in the turn stands in the turn's own results.
 */
export const durableContext: MiddlewareKind = {
  name: 'durable-context',
  create: () => {
    let written = '';
    let summary: string | undefined;
    return {
      beforeRun: (run) => {
        written = write(run);
        summary = coveredIn(run.log)?.summary.id;
      },
      beforeModel: (run, draft) => {
        const newest = coveredIn(run.log)?.summary.id;
        if (newest !== summary) [written, summary] = [write(run), newest];
        return written === '' ? draft : { ...draft, context: `${draft.context}\n${written}`.trim() };
      },
    };
  },
};

function write(run: Run): string {
  const open = openItems(readTodo(run.state(TODO)));
  const list = open.length === 0 ? '' : framed('context', `Open items of your list:\n${writtenTodo(open)}`);
  const ledger = coveredIn(run.log) === null ? '' : writeLedger(readLedger(run.state(DELEGATIONS)));
  return [list, ledger].filter((part) => part !== '').join('\n');
}

/** Newest first, as long as there is room. What came of a task is told by others, so it is data. */
function writeLedger(ledger: readonly Delegation[]): string {
  const lines: string[] = [];
  let room = MAX_LEDGER_CHARS;
  for (const one of ledger.toReversed().slice(0, MAX_DELEGATIONS)) {
    const line = `- ${asName(one.description)} (${asName(one.type)}): ${STATUS[one.status]}${one.brief === '' ? '' : `: ${asData(one.brief).replace(/\s+/g, ' ')}`}`;
    if (line.length > room) break;
    room -= line.length;
    lines.push(line);
  }
  if (lines.length === 0) return '';
  return framed('tool_result', `Handed to sub-agents before:\n${lines.join('\n')}`, { tool: 'task' });
}

const STATUS = {
  running: 'was interrupted',
  done: 'done, do not hand it on again',
  capped: 'ended at its limit, hand on something narrower',
  failed: 'failed',
  timed_out: 'ran out of time',
  cancelled: 'was stopped',
} as const satisfies Record<Delegation['status'], string>;
