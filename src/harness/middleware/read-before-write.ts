import { KeyedQueue } from '../../base/keyed-queue.ts';
import type { LogEntry, ToolCall } from '../log.ts';
import { placeOf } from '../sandbox/paths.ts';
import { isWorkspacePath } from '../tools/files/source.ts';
import { parseArguments } from '../transcript/arguments.ts';
import { coveredIn } from '../transcript/summary.ts';
import type { MiddlewareKind, Run } from './port.ts';

/** Of so many files it is kept which version was seen. */
const MAX_MARKS = 50;
const STATE = 'read_versions';

/** Which version of a file the model has before it, and by which call: one that was summed up is not before it. */
interface Mark {
  readonly version: string;
  readonly callId: string;
}
type Marks = Readonly<Record<string, Mark>>;

/** Calls that touch one file wait for each other, also those of other turns of the same owner. */
const turns = new KeyedQueue();

/**
 * A file that is there is overwritten or changed only by a model that has read it as it is now: models write from
 * memory, and people and commands change files meanwhile.
 */
export const readBeforeWrite: MiddlewareKind = {
  name: 'read-before-write',
  create: () => {
    const callsOfThisRun = new Set<string>();
    return {
      wrapTool: async (run, call, next) => {
        const path = pathOf(run, call);
        if (path === null) return next(call);
        const { assistant, context } = run.request;
        return turns.run(JSON.stringify([context.owner, assistant.id, path]), async () => {
          const before = await versionOf(run, path);
          const isSeen = before !== null && isCurrent(run, path, before, callsOfThisRun);
          if (before !== null && !isSeen && (call.name === 'write_file' || call.name === 'replace_in_file'))
            return { status: 'error', text: `Error: ${unread(run, path)}` };
          const outcome = await next(call);
          if (outcome.status === 'error') return outcome;
          const after = call.name === 'read_file' ? before : await versionOf(run, path);
          const knowsAll = call.name !== 'append_file' || before === null || isSeen;
          if (after !== null && knowsAll) {
            callsOfThisRun.add(call.id);
            mark(run, path, { version: after, callId: call.id });
          }
          return outcome;
        });
      },
    };
  },
};

/** The file of the workspace that a call reads or writes; null for any other call. */
function pathOf(run: Run, call: ToolCall): string | null {
  const parsed = parseArguments(call.arguments);
  if (!parsed.ok) return null;
  const { path, file } = parsed.value;
  const written = call.name === 'read_file' ? file : path;
  const isOurs = ['read_file', 'write_file', 'append_file', 'replace_in_file'].includes(call.name);
  if (!isOurs || typeof written !== 'string') return null;
  if (call.name === 'read_file' && !isWorkspacePath(run.log, written)) return null;
  try {
    return placeOf(written.trim()).path;
  } catch {
    return null; // the tool says what is wrong with it
  }
}

/** Null when nothing is there, or it cannot be told: then the tool itself decides. */
async function versionOf(run: Run, path: string): Promise<string | null> {
  try {
    const { kind, bytes, changedAt } = await (await run.workspace()).stat(path);
    return kind === 'file' ? `${bytes}-${changedAt}` : null;
  } catch {
    return null;
  }
}

function isCurrent(run: Run, path: string, version: string, callsOfThisRun: ReadonlySet<string>): boolean {
  const mark = marksOf(run)[path];
  if (mark?.version !== version) return false;
  return callsOfThisRun.has(mark.callId) ? !isSummedUp(run.log, mark.callId) : isBeforeModel(run.log, mark.callId);
}

const indexOfCall = (log: readonly LogEntry[], callId: string): number =>
  log.findLastIndex((entry) => entry.kind === 'tool' && entry.callId === callId);

/** The last entry that only a summary tells of; -1: there is none. */
const summedUpTo = (log: readonly LogEntry[]): number => coveredIn(log)?.until ?? -1;

const isBeforeModel = (log: readonly LogEntry[], callId: string): boolean => indexOfCall(log, callId) > summedUpTo(log);

/** A call of the step that runs is not in the log yet. */
function isSummedUp(log: readonly LogEntry[], callId: string): boolean {
  const index = indexOfCall(log, callId);
  return index !== -1 && index <= summedUpTo(log);
}

function unread(run: Run, path: string): string {
  const hasOlder = marksOf(run)[path] !== undefined;
  const why = hasOlder ? 'has changed since you read it' : 'is there already, and you have not read it';
  return `${path} ${why}. Read it with read_file first, then decide; or write to another name.`;
}

function marksOf(run: Run): Marks {
  const kept = run.state(STATE);
  return typeof kept === 'object' && kept !== null ? (kept as Marks) : {};
}

function mark(run: Run, path: string, seen: Mark): void {
  const { [path]: _, ...others } = marksOf(run);
  run.keep(STATE, Object.fromEntries([...Object.entries(others), [path, seen]].slice(-MAX_MARKS)));
}
