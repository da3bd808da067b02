import assert from 'node:assert/strict';
import { AntlerError } from '../../base/errors.ts';
import { newRunId, type RunId, type ThreadId, type ThreadKey, threadKey } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import type { LogEntry } from '../../harness/log.ts';
import { openStore } from '../index.ts';
import type { NewRun, Store } from '../port.ts';

/** Which database; goes to other processes as JSON. */
export type StorePlace = { readonly url: string } | { readonly file: string };

export interface StoreSubject {
  /** A new, empty database, gone when the test file ends. */
  empty(): Promise<StorePlace>;
  /** Runs a statement behind the store's back. */
  execute(place: StorePlace, statement: string): Promise<void>;
  /** How many random histories to play. */
  readonly histories: number;
}

/** Two stores on one database, as two processes have them; open while the tests run. */
export interface Pair {
  readonly store: Store;
  readonly second: Store;
}

export const open = (place: StorePlace): Promise<Store> => openStore({ ...place, log: silentLogger });

/** Runs `count` calls at once, on both stores in turn. */
export const atOnce = <Result>(
  { store, second }: Pair,
  count: number,
  call: (store: Store, n: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(Array.from({ length: count }, (_, n) => call(n % 2 === 0 ? store : second, n)));

/** A place that nobody has been to. */
export const somewhere = (): ThreadKey =>
  threadKey({ channel: 'tele/gram ü', chat: newRunId(), topic: '5', user: '%\0' });

export const newThread = async (store: Store): Promise<ThreadId> => (await store.threads.open(somewhere())).id;

export const newRun = (thread: ThreadId, startedAt: number): NewRun => ({
  id: newRunId(),
  thread,
  assistant: 'lead',
  model: 'main',
  firstSeq: 3,
  startedAt,
});

export async function startRun(store: Store, thread: ThreadId, startedAt = 1_700_000_000_000): Promise<RunId> {
  const run = newRun(thread, startedAt);
  await store.runs.start(run);
  return run.id;
}

/** An entry of the log that says `text`. */
export const say = (text: string): LogEntry => ({
  kind: 'user',
  id: text,
  at: 1_700_000_000_000,
  text,
  speaker: { id: 'telegram//7', name: 'Ann' },
});

/** For `assert.rejects`: an error of ours with this code. */
export const failsWith =
  (code: AntlerError['code'], says = /./) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof AntlerError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, says);
    return true;
  };
