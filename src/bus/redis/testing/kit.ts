import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { type Logger, silentLogger } from '../../../base/logger.ts';
import type { MessageBus } from '../../port.ts';
import { createRedisBus, type RedisBusOptions } from '../index.ts';
import type { WorkerOrders } from './worker.ts';

export const newPrefix = (): string => `test-${randomUUID()}`;

/** A bus that is closed when the test ends. */
export async function openBus(
  t: TestContext,
  url: string,
  prefix: string,
  log?: Logger,
  more: Partial<RedisBusOptions> = {},
): Promise<MessageBus> {
  const bus = await createRedisBus({ url, prefix, log: log ?? silentLogger, ...more });
  t.after(() => bus.close({ graceMs: 0 }));
  return bus;
}

/** A plain connection, to look at keys and to break things. */
export function openClient(t: TestContext, url: string): Redis {
  const client = new Redis(url);
  // Its server may be stopped before it.
  client.on('error', () => {});
  t.after(() => client.disconnect());
  return client;
}

/** A logger that keeps its warnings and errors. */
export function recordingLogger(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (_fields: object, message: string): void => void lines.push(message);
  const log: Logger = { ...silentLogger, warn: keep, error: keep, child: () => log };
  return { log, lines };
}

/** Starts a worker process; resolves when it says that it runs a turn. It is killed when the test ends. */
export function startWorker(t: TestContext, orders: WorkerOrders): { child: ChildProcess; running: Promise<void> } {
  const child = fork(new URL('./worker.ts', import.meta.url), [JSON.stringify(orders)]);
  t.after(() => child.kill('SIGKILL'));
  return { child, running: heard(child, 'running') };
}

/** Resolves when the process says `word`; rejects when it ends before. */
function heard(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => message === word && resolve());
    child.once('exit', (code, signal) => reject(new Error(`ended (${code ?? signal}) before it said ${word}`)));
  });
}

export async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
