import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import type { Adapter } from './port.ts';
import { type ConnectionLease, supervise } from './supervisor.ts';

/** Waits no real time, but gives way to others. */
const hurried = { ...systemClock, sleep: async () => new Promise<void>((resolve) => setImmediate(resolve)) };

function connection(failures: AntlerError[] = []) {
  const trace: string[] = [];
  const adapter: Adapter = {
    start: async () => {
      const failure = failures.shift();
      trace.push(failure === undefined ? 'start' : 'start fails');
      if (failure !== undefined) throw failure;
    },
    stop: async () => void trace.push('stop'),
    probe: async () => ({ ok: true }),
    send: async () => ({ id: '1' }),
  };
  return { adapter, trace };
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !condition(); i++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(condition());
}

test('a channel that fails to start is started again', async () => {
  const { adapter, trace } = connection([new AntlerError('unauthorized', 'wrong token')]);
  const states: string[] = [];
  const supervised = supervise({
    channel: 'telegram',
    adapter,
    report: (status) => states.push(status.state === 'failing' ? status.problem : status.state),
    log: silentLogger,
    clock: hurried,
  });
  await until(() => trace.includes('start'));
  await supervised.stop();
  assert.deepEqual(trace, ['start fails', 'stop', 'start', 'stop']);
  assert.deepEqual(states, ['connecting', 'wrong token', 'connecting', 'stopped']);
});

test('a channel whose settings cannot work says so once and is not started again', async () => {
  const { adapter, trace } = connection([new AntlerError('config_invalid', 'no public address')]);
  const states: string[] = [];
  const supervised = supervise({
    channel: 'telegram',
    adapter,
    report: (status) => states.push(status.state === 'failing' ? status.problem : status.state),
    log: silentLogger,
    clock: hurried,
  });
  await until(() => trace.includes('stop'));
  for (let i = 0; i < 20; i++) await hurried.sleep();
  await supervised.stop();
  assert.deepEqual(trace, ['start fails', 'stop']);
  assert.deepEqual(states, ['connecting', 'no public address', 'stopped']);
});

test('a connection is never up without its lease, and let go when the lease is lost', async () => {
  const { adapter, trace } = connection();
  const losses: AbortController[] = [];
  let free = false;
  const supervised = supervise({
    channel: 'telegram',
    adapter,
    acquire: async (): Promise<ConnectionLease | null> => {
      if (!free) return null;
      free = false;
      const loss = new AbortController();
      losses.push(loss);
      return { lost: loss.signal, release: async () => void trace.push('release') };
    },
    report: () => {},
    log: silentLogger,
    clock: hurried,
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(trace.length, 0);
  free = true;
  await until(() => trace.includes('start'));
  losses[0]?.abort();
  await until(() => trace.includes('release'));
  free = true;
  await until(() => trace.filter((step) => step === 'start').length === 2);
  await supervised.stop();
  assert.deepEqual(trace, ['start', 'stop', 'release', 'start', 'stop', 'release']);
});

test('what needs the connection is done only while it is held here', async () => {
  const { adapter, trace } = connection();
  const lost = new AbortController();
  const leases: ConnectionLease[] = [{ lost: lost.signal, release: async () => void trace.push('release') }];
  const supervised = supervise({
    channel: 'wecom',
    adapter,
    acquire: async () => leases.shift() ?? null,
    whileHeld: async () => {
      trace.push('send');
      return { stop: async () => void trace.push('send no more') };
    },
    report: () => {},
    log: silentLogger,
    clock: hurried,
  });
  await until(() => trace.includes('send'));
  lost.abort();
  await until(() => trace.includes('release'));
  await supervised.stop();
  assert.deepEqual(trace, ['start', 'send', 'send no more', 'stop', 'release']);
});

test('a start that hangs does not hold up the end', async () => {
  const { adapter, trace } = connection();
  const hanging = Promise.withResolvers<void>();
  const supervised = supervise({
    channel: 'telegram',
    adapter: {
      ...adapter,
      start: () => hanging.promise,
      stop: async () => {
        trace.push('stop');
        hanging.resolve();
      },
    },
    report: () => {},
    log: silentLogger,
    clock: hurried,
  });
  for (let i = 0; i < 5; i++) await hurried.sleep();
  await supervised.stop();
  assert.deepEqual(trace, ['stop']);
});

test('what fails to end with the connection holds up neither its stop, nor the lease, nor the next start', async () => {
  const { adapter, trace } = connection();
  const losses: AbortController[] = [];
  const supervised = supervise({
    channel: 'telegram',
    adapter,
    acquire: async () => {
      const lost = new AbortController();
      losses.push(lost);
      return { lost: lost.signal, release: async () => void trace.push('release') };
    },
    whileHeld: async () => ({ stop: () => Promise.reject(new Error('it hangs on')) }),
    report: () => {},
    log: silentLogger,
    clock: hurried,
  });
  await until(() => trace.includes('start'));
  losses[0]?.abort();
  await until(() => losses.length === 2 && trace.at(-1) === 'start');
  await supervised.stop();
  assert.deepEqual(trace, ['start', 'stop', 'release', 'start', 'stop', 'release']);
});
