import type { AssistantEntry, HeardEntry, LogEntry, ToolCall, ToolEntry, UserEntry } from '../log.ts';
import { parseArguments, replayableArguments } from './arguments.ts';

/** A log entry with everything that belongs to it: an assistant's calls carry their results. */
export type Block = UserBlock | HeardBlock | AssistantBlock;

export interface UserBlock {
  readonly kind: 'user';
  readonly entry: UserEntry;
  /** Where in the log it stands. */
  readonly index: number;
}

export interface HeardBlock {
  readonly kind: 'heard';
  readonly entry: HeardEntry;
  readonly index: number;
}

export interface AssistantBlock {
  readonly kind: 'assistant';
  readonly entry: AssistantEntry;
  readonly index: number;
  readonly calls: readonly PairedCall[];
}

/** A call as it is replayed, together with its one result. */
export interface PairedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly extra?: ToolCall['extra'];
}

/** OpenAI takes at most 40 characters, Anthropic's and Google's gateways no others than these. */
const CALL_ID = /^[A-Za-z0-9_-]{1,40}$/;

const NO_RESULT =
  'Error: this call was interrupted and has no result. It may or may not have taken effect; find out before repeating it.';

/**
 * Joins calls with their results. Logs break off anywhere (a process dies between a call and its result) and models
 * write calls that endpoints refuse to read again, so: a call without a result gets one that says so, a result without
 * a call is dropped, a result is moved right behind its call whatever came between, ids are made valid and unique,
 * names and arguments readable.
 *
 * Takes the entries from index `from` on. Entries never change, so a block that comes out as it did before is the same
 * object: what is worked out of one can be kept by it.
 */
export function pairCalls(log: readonly LogEntry[], from = 0): readonly Block[] {
  const known = pairedLogs.get(log);
  if (known?.length === log.length && known.from === from) return known.blocks;
  const blocks = pairFrom(log, from);
  pairedLogs.set(log, { length: log.length, from, blocks });
  return blocks;
}

interface PairedLog {
  /** Of the log, which only ever grows. */
  readonly length: number;
  readonly from: number;
  readonly blocks: readonly Block[];
}

/** A step looks at its log more than once. */
const pairedLogs = new WeakMap<readonly LogEntry[], PairedLog>();

function pairFrom(log: readonly LogEntry[], from: number): Block[] {
  const results = matchResults(log, from);
  const usedIds = new Set<string>();
  const blocks: Block[] = [];
  for (let index = from; index < log.length; index++) {
    const entry = log[index];
    if (entry?.kind === 'user') blocks.push({ kind: 'user', entry, index });
    if (entry?.kind === 'heard' && entry.messages.length > 0) blocks.push({ kind: 'heard', entry, index });
    if (entry?.kind !== 'assistant') continue;
    const calls = entry.toolCalls.map((call, position): PairedCall => {
      const id = freshId(call.id, `call_${index}_${position}`, usedIds);
      usedIds.add(id);
      return pairedCall(call, id, results.get(call)?.text);
    });
    if (calls.length > 0 || entry.text.trim() !== '') blocks.push(assistantBlock(entry, index, calls));
  }
  return blocks;
}

const pairedBefore = new WeakMap<ToolCall, PairedCall>();

function pairedCall(call: ToolCall, id: string, found: string | undefined): PairedCall {
  const known = pairedBefore.get(call);
  const result = found ?? missingResult(call);
  if (known !== undefined && known.id === id && known.result === result) return known;
  const paired = {
    id,
    name: known?.name ?? replayableName(call.name),
    arguments: known?.arguments ?? replayableArguments(call.arguments),
    result,
    ...(call.extra === undefined ? {} : { extra: call.extra }),
  };
  pairedBefore.set(call, paired);
  return paired;
}

const blocksBefore = new WeakMap<AssistantEntry, AssistantBlock>();

function assistantBlock(entry: AssistantEntry, index: number, calls: readonly PairedCall[]): AssistantBlock {
  const known = blocksBefore.get(entry);
  if (known?.index === index && calls.every((call, position) => call === known.calls[position])) return known;
  const block = { kind: 'assistant', entry, index, calls } as const;
  blocksBefore.set(entry, block);
  return block;
}

interface OpenCall {
  readonly call: ToolCall;
  readonly message: AssistantEntry;
}

/**
 * Each result answers a call of its id that has none yet, of the nearest earlier message (models reuse ids from turn
 * to turn), and there the first one (some repeat an id within a message).
 */
function matchResults(log: readonly LogEntry[], from: number): Map<ToolCall, ToolEntry> {
  const results = new Map<ToolCall, ToolEntry>();
  const open: OpenCall[] = [];
  for (let index = from; index < log.length; index++) {
    const entry = log[index];
    if (entry?.kind === 'assistant') for (const call of entry.toolCalls) open.push({ call, message: entry });
    if (entry?.kind !== 'tool') continue;
    const answers = ({ call }: OpenCall): boolean =>
      call.id === entry.callId && (call.name === entry.name || call.name.trim() === '' || entry.name.trim() === '');
    const message = open.findLast(answers)?.message;
    const at = open.findIndex((candidate) => candidate.message === message && answers(candidate));
    const [found] = at === -1 ? [] : open.splice(at, 1);
    if (found !== undefined) results.set(found.call, entry);
  }
  return results;
}

function freshId(wanted: string, substitute: string, used: ReadonlySet<string>): string {
  if (CALL_ID.test(wanted) && !used.has(wanted)) return wanted;
  let id = substitute;
  for (let n = 2; used.has(id); n++) id = `${substitute}_${n}`;
  return id;
}

function replayableName(name: string): string {
  const readable = name.trim().replace(/[^A-Za-z0-9_-]/g, '_');
  return readable === '' ? 'unknown_tool' : readable.slice(0, 64);
}

function missingResult(call: ToolCall): string {
  const parsed = parseArguments(call.arguments);
  return parsed.ok ? NO_RESULT : `Error: nothing was done, because ${parsed.problem}.`;
}
