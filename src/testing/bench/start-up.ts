import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Memory, memoryOf } from './process-figures.ts';
import { median } from './statistics.ts';
import { startRole } from './subject.ts';

export interface StartUp {
  /** Milliseconds from starting the process to the first page, without a compile cache. */
  readonly coldMs: number;
  /** The median of several starts with a warm compile cache, each with an empty data folder. */
  readonly warmMs: number;
  readonly starts: number;
  /** Of a process with nothing configured. */
  readonly idle: Memory;
}

/** How long a process is left alone before its idle memory is read. */
export const IDLE_AFTER_MS = 5_000;

/** Starts Antler as a newcomer does, with no configuration at all, and waits for its page. */
export async function measureStartUp(starts: number): Promise<StartUp> {
  const cold = await startOnce({ NODE_DISABLE_COMPILE_CACHE: '1' });
  await startOnce(); // a process that ends writes the cache
  const times: number[] = [];
  for (let count = 1; count < starts; count++) times.push((await startOnce()).firstPageMs);
  const last = await startOnce({}, IDLE_AFTER_MS);
  return { coldMs: cold.firstPageMs, warmMs: median([...times, last.firstPageMs]), starts, idle: last.memory };
}

async function startOnce(
  env: Readonly<Record<string, string>> = {},
  restMs = 0,
): Promise<{ readonly firstPageMs: number; readonly memory: Memory }> {
  await using owner = new AsyncDisposableStack();
  const antler = await startRole(owner, 'start', env);
  await fetchPage(antler.said[1] ?? '');
  const firstPageMs = performance.now() - antler.startedAt;
  await sleep(restMs);
  return { firstPageMs, memory: memoryOf(antler.pid) };
}

function fetchPage(url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = get(url, { agent: false }, (response) => {
    response.resume();
    response.once('end', () =>
      response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
    );
  });
  request.once('error', reject);
  return promise;
}
