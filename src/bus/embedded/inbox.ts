import type { RunId, ThreadId } from '../../base/ids.ts';
import { type Alone, type CrashRecord, countedAttempts, isSuspect } from '../company.ts';
import { cutSteered, cutTurn, isRefused } from '../policy.ts';
import type { BusStats, NewInput, Published, Recalled, ThreadState, TurnInput } from '../port.ts';
import { beginsAt, patienceOf } from '../quiet.ts';
import { createInputTable, turnInputOf, type WaitingInput } from './inputs.ts';
import type { Journal } from './journal.ts';
import type { PausedChannels } from './paused.ts';
import { createThreadTable, type Left, type Owner, type Thread } from './threads.ts';

export type { Owner } from './threads.ts';

/** A turn that was taken; `fence` guards every write of its run. */
export interface Claimed extends CrashRecord {
  readonly fence: number;
  readonly chat: string;
  readonly inputs: readonly TurnInput[];
  /** The attempts are used up. Then `inputs` are only those that were tried, not what has come since. */
  readonly doomed: boolean;
  readonly lastCommit: RunId | null;
  /** Why the last attempt failed, if it did. */
  readonly error: string | null;
}

/** A thread that waits for a run, from `due` on. */
export interface WaitingThread extends Owner {
  readonly thread: ThreadId;
  readonly due: number;
}

/** How a turn failed: so often in all, and it is tried again from `due` on. */
export interface Failure {
  readonly attempt: number;
  readonly error: string;
  readonly due: number;
}

/** What a step has left to do for who takes turns. */
export interface After {
  readonly left: Left;
  /** Set when the thread waits for a run. */
  readonly wake: WaitingThread | null;
}

export interface Buried {
  readonly after: After;
  readonly inputs: readonly TurnInput[];
  readonly owner: Owner;
}

/**
 * Threads and what waits in them. Everything here is a step for {@link Journal.write}, or reads.
 *
 *     idle ─publish→ queued ─claim→ running ─commit, bury→ queued | idle
 *                                   running ─release→ queued
 *                                   running ─fail→ delayed (queued when something new waits)
 *                                   delayed ─publish→ queued      delayed ─due, claim→ running
 *     queued, delayed ─withdraw of the last input→ idle
 *
 * A queued thread whose `due` lies ahead waits for more of the same burst.
 */
export interface Inbox {
  /** `found`: the thread's state before; `wake`: set when it waits for a run now and did not, or not until then. */
  publish(
    input: NewInput,
    payload: string,
    now: number,
  ): { readonly answer: Published; readonly found: ThreadState['state']; readonly wake: WaitingThread | null };
  withdraw(
    thread: ThreadId,
    key: string,
    now: number,
  ): { readonly recalled: Recalled | 'alone'; readonly after: After | null };
  /** Takes back all inputs but those that a run has; `isIdle`: the thread waits for nothing any more. */
  clear(thread: ThreadId, now: number): { readonly gone: number; readonly isIdle: boolean };
  amend(thread: ThreadId, key: string, payload: string): Recalled;
  /** Appends inputs that were taken out before, whatever the bound. */
  putBack(thread: ThreadId, owner: Owner, inputs: readonly TurnInput[], now: number): WaitingThread | null;
  /** Is the thread's turn to be alone in the process? */
  isSuspect(thread: ThreadId, maxAttempts: number): boolean;
  /** Null when the thread does not wait for a run, or its channel is paused. */
  claim(thread: ThreadId, maxAttempts: number, now: number): Claimed | null;
  /** Hands the run what may be steered into it. */
  steer(thread: ThreadId, fence: number): readonly TurnInput[];
  /** Committing the same run again answers what it was answered first; `first` tells whether effects are due. */
  commit(thread: ThreadId, fence: number, commit: RunId, ackSeq: number, now: number): After & { first: boolean };
  fail(thread: ThreadId, fence: number, failure: Failure, now: number): After;
  release(thread: ThreadId, fence: number, now: number): After;
  /** Takes out the inputs that the run was handed, given up; null when the run is not the thread's any more. */
  bury(thread: ThreadId, fence: number, now: number): Buried | null;
  /** Of the run that is active; null when none is. */
  fenceOf(thread: ThreadId): number | null;
  state(thread: ThreadId): ThreadState;
  counts(): Pick<BusStats, 'queuedThreads' | 'runningThreads' | 'waitingInputs'>;
  /** After a start: what ran when the last process ended is queued again, one attempt poorer. */
  recover(now: number): void;
  /** All threads that wait for a run, or those of one channel, the longest waiting first. */
  waiting(channel?: string): WaitingThread[];
}

/** What of a thread changes when it is left; all else stays as it is. */
type Change = Pick<Thread, 'state' | 'due'> & Partial<Thread>;

const fenced: After = { left: 'fenced', wake: null };

/** Of a turn that was not tried. */
const innocent = { attempt: 0, excused: 0, guilty: null } satisfies CrashRecord;

/** A thread that nobody has spoken in. */
const stranger = {
  taken: 0,
  fence: 0,
  alone: null,
  ...innocent,
  error: null,
  last_commit: null,
  last_result: null,
} satisfies Partial<Thread>;

const isWaiting = (row: Thread | undefined): row is Thread & { readonly state: 'queued' | 'delayed' } =>
  row?.state === 'queued' || row?.state === 'delayed';

export function createInbox(journal: Journal, paused: PausedChannels, maxInbox: number): Inbox {
  const inputs = createInputTable(journal);
  const threads = createThreadTable(journal);
  const { find } = threads;
  const remember = journal.prepare('INSERT OR IGNORE INTO seen(key, at) VALUES (?, ?)');
  const isKnown = journal.prepare<{ known: 1 }>('SELECT 1 AS known FROM seen WHERE key = ?');
  /** The thread, if the run still has it. */
  const held = (thread: ThreadId, fence: number): Thread | undefined => {
    const row = find(thread);
    return row?.state === 'running' && row.fence === fence ? row : undefined;
  };

  const first = (thread: ThreadId, taken: number, after = 0): WaitingInput | null => {
    for (const input of inputs.waiting(thread, taken, after)) return input;
    return null;
  };

  const settle = (thread: ThreadId, row: Thread, change: Change): After => {
    const after = { ...row, alone: null, ...change };
    const { state, channel, chat, user, due } = after;
    threads.save(thread, after);
    if (state === 'queued' || state === 'delayed') return { left: state, wake: { thread, channel, chat, user, due } };
    return { left: 'idle', wake: null };
  };

  /** How the thread goes on when no run has it: to the turn at the head of its inbox, or to rest. */
  const next = (thread: ThreadId, row: Thread, waiting: number, now: number): Change => {
    if (waiting === 0) return { state: 'idle', waiting, due: now };
    const cut = cutTurn(inputs.waiting(thread, row.taken));
    const due = Math.max(now, beginsAt(cut));
    return { state: 'queued', waiting, due, user: cut.turn[0]?.user ?? row.user };
  };

  /** Takes inputs out and lets the thread go on to what is left. */
  const acknowledge = (thread: ThreadId, row: Thread, upTo: number, commit: RunId | null, now: number): After => {
    const waiting = row.waiting - inputs.removeUpTo(thread, Math.min(upTo, row.taken));
    const change = next(thread, row, waiting, now);
    const fresh = { ...change, ...innocent, error: null };
    return settle(
      thread,
      row,
      commit === null ? fresh : { ...fresh, last_commit: commit, last_result: change.state as Left },
    );
  };

  return {
    publish: (input, payload, now) => {
      const { thread, channel, chat, user, busy } = input;
      const row = find(thread);
      const found = row?.state ?? 'idle';
      const refuse = (status: 'duplicate' | 'busy' | 'full') => ({ answer: { status }, found, wake: null });
      const refusal = isRefused(busy, found) ? 'busy' : (row?.waiting ?? 0) >= maxInbox ? 'full' : null;
      // A message that was taken before is a duplicate, however busy or full the thread is.
      if (refusal !== null) return refuse(isKnown.get(input.dedupeKey) === undefined ? refusal : 'duplicate');
      if (remember.run(input.dedupeKey, now) === 0) return refuse('duplicate');

      const gathers = row !== undefined && found === 'queued' && row.due > now;
      const joins = gathers ? first(thread, row.taken) : null;
      const arrival = {
        ...patienceOf({ busy, quiet: input.quiet, found, joins, at: now }),
        seq: (row?.seq ?? 0) + 1,
        payload,
        at: input.at,
        user,
        busy,
        key: input.dedupeKey,
        tried: false,
      };
      inputs.append(thread, arrival, (row?.waiting ?? 0) === 0);
      const woken = found === 'idle' || found === 'delayed' || gathers;
      // Who waits for another try of a turn is not kept waiting once there is something new.
      const beginning = found === 'delayed' ? now : beginsAt(cutTurn(joins === null ? [arrival] : [joins, arrival]));
      const due = woken ? Math.max(now, Math.ceil(beginning)) : (row?.due ?? now);
      const counted = row === undefined || found === 'idle' ? user : row.user;
      const grown: Thread = {
        ...(row ?? stranger),
        chat,
        channel,
        user: counted,
        state: found === 'running' ? found : 'queued',
        seq: arrival.seq,
        waiting: (row?.waiting ?? 0) + 1,
        due,
      };
      const changed = woken || row?.chat !== chat || row?.channel !== channel;
      (changed ? threads.save : threads.grown)(thread, grown);
      return {
        answer: { status: 'accepted', seq: arrival.seq, state: found === 'delayed' ? 'queued' : found },
        found,
        wake: woken ? { thread, channel, chat, user: counted, due } : null,
      };
    },
    withdraw: (thread, key, now) => {
      const row = find(thread);
      const seq = row === undefined ? null : inputs.find(thread, key);
      if (row === undefined || seq === null) return { recalled: 'gone', after: null };
      if (row.state === 'running' && seq <= row.taken) {
        let handed = 0;
        for (const input of inputs.waiting(thread, row.taken)) {
          if (!input.tried) break;
          handed++;
        }
        return { recalled: handed === 1 ? 'alone' : 'active', after: null };
      }
      inputs.remove(thread, seq);
      if (!isWaiting(row)) {
        threads.save(thread, { ...row, waiting: row.waiting - 1 });
        return { recalled: 'changed', after: null };
      }
      const rest = next(thread, row, row.waiting - 1, now);
      // Only a turn that still waits for more may begin at another time now.
      const gathers = row.state === 'queued' && row.due > now;
      const change = rest.state === 'idle' || gathers ? rest : { ...rest, state: row.state, due: row.due };
      // The attempts were made at inputs that may be gone now; what is left was perhaps never tried.
      const anew = first(thread, row.taken)?.tried === true ? {} : { ...innocent, error: null };
      return { recalled: 'changed', after: settle(thread, row, { ...change, ...anew }) };
    },
    clear: (thread, now) => {
      const row = find(thread);
      if (row === undefined || row.state === 'idle') return { gone: 0, isIdle: false };
      const isRunning = row.state === 'running';
      const gone = inputs.removeAfter(thread, isRunning ? row.taken : 0);
      if (isRunning) threads.save(thread, { ...row, waiting: row.waiting - gone });
      else settle(thread, row, { state: 'idle', waiting: 0, due: now, ...innocent, error: null });
      return { gone, isIdle: !isRunning };
    },
    amend: (thread, key, payload) => {
      const row = find(thread);
      const seq = row === undefined ? null : inputs.find(thread, key);
      if (row === undefined || seq === null) return 'gone';
      if (row.state === 'running' && seq <= row.taken) return 'active';
      inputs.amend(thread, seq, payload);
      return 'changed';
    },
    putBack: (thread, owner, again, now) => {
      const before = find(thread);
      const found = before?.state ?? 'idle';
      const seq = before?.seq ?? 0;
      const { channel, chat, user } = owner;
      for (const [n, input] of again.entries()) {
        const payload = JSON.stringify(input.payload) ?? 'null';
        const patience = { cameAt: now, fresh: false, waitMs: 0, mostMs: 0 };
        const back = { seq: seq + n + 1, payload, at: input.at, user, busy: 'collect', key: null } as const;
        inputs.append(thread, { ...patience, ...back }, (before?.waiting ?? 0) + n === 0);
      }
      if (again.length > 0)
        threads.save(thread, {
          ...(before ?? stranger),
          chat,
          channel,
          user: found === 'idle' ? user : (before?.user ?? user),
          state: found === 'running' ? found : 'queued',
          seq: seq + again.length,
          waiting: (before?.waiting ?? 0) + again.length,
          due: now,
        });
      return found === 'running' || again.length === 0 ? null : { thread, channel, chat, user, due: now };
    },
    isSuspect: (thread, maxAttempts) => {
      const row = find(thread);
      return row !== undefined && isSuspect(row, maxAttempts);
    },
    claim: (thread, maxAttempts, now) => {
      const row = find(thread);
      if (!isWaiting(row) || paused.has(row.channel)) return null;
      const { turn } = cutTurn(inputs.waiting(thread, row.taken));
      const isTried = turn[0]?.tried === true;
      const doomed = isTried && row.guilty !== null && countedAttempts(row) >= maxAttempts;
      const alone: Alone | null = doomed ? 'tell' : isSuspect(row, maxAttempts) ? 'run' : null;
      // What has come since did not end any process.
      const handed = alone !== null && isTried ? turn.filter((input) => input.tried) : turn;
      const fence = row.fence + 1;
      const taken = Math.max(row.taken, handed.at(-1)?.seq ?? 0);
      threads.save(thread, { ...row, state: 'running', fence, due: now, taken, alone });
      const { chat, attempt, excused, guilty, last_commit: lastCommit, error } = row;
      return { fence, chat, inputs: handed.map(turnInputOf), attempt, excused, guilty, doomed, lastCommit, error };
    },
    steer: (thread, fence) => {
      const row = held(thread, fence);
      if (row === undefined) return [];
      const steered = cutSteered(inputs.waiting(thread, row.taken, row.taken));
      const newest = steered.at(-1);
      if (newest !== undefined) threads.save(thread, { ...row, taken: newest.seq });
      return steered.map(turnInputOf);
    },
    commit: (thread, fence, commit, ackSeq, now) => {
      const row = held(thread, fence);
      if (row !== undefined) return { ...acknowledge(thread, row, ackSeq, commit, now), first: true };
      const applied = find(thread);
      if (applied?.last_commit !== commit) return { ...fenced, first: false };
      return { left: applied.last_result ?? 'idle', wake: null, first: false };
    },
    fail: (thread, fence, { attempt, error, due }, now) => {
      const row = held(thread, fence);
      if (row === undefined) return fenced;
      const atOnce = due <= now || first(thread, row.taken, row.taken) !== null;
      return settle(
        thread,
        row,
        atOnce ? { state: 'queued', due: now, attempt, error } : { state: 'delayed', due, attempt, error },
      );
    },
    release: (thread, fence, now) => {
      const row = held(thread, fence);
      return row === undefined ? fenced : settle(thread, row, { state: 'queued', due: now });
    },
    bury: (thread, fence, now) => {
      const row = held(thread, fence);
      if (row === undefined) return null;
      const { channel, chat, user, taken } = row;
      const { turn } = cutTurn(inputs.waiting(thread, taken));
      const tried = turn.filter((input) => input.tried).map(turnInputOf);
      return {
        after: acknowledge(thread, row, taken, null, now),
        inputs: tried,
        owner: { channel, chat, user },
      };
    },
    fenceOf: (thread) => {
      const row = find(thread);
      return row?.state === 'running' ? row.fence : null;
    },
    state: (thread) => {
      const row = find(thread);
      return { state: row?.state ?? 'idle', waiting: row?.waiting ?? 0 };
    },
    counts: () => {
      const states = { queued: 0, delayed: 0, running: 0, idle: 0 };
      let waitingInputs = 0;
      for (const [, row] of threads.active()) {
        states[row.state]++;
        waitingInputs += row.waiting;
      }
      return { queuedThreads: states.queued + states.delayed, runningThreads: states.running, waitingInputs };
    },
    recover: threads.recover,
    waiting: (channel) =>
      [...threads.active()]
        .filter(([, row]) => isWaiting(row) && (channel === undefined || channel === row.channel))
        .map(([thread, { chat, user, due, channel: of }]) => ({ thread, channel: of, chat, user, due }))
        .sort((a, b) => a.due - b.due),
  };
}
