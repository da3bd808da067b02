import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { freePort, startRedis } from '../../testing/services.ts';
import { done, handlerOf, idle, newDelivery, newInput, newThreadId, payloadsOf, until } from '../contract/kit.ts';
import { createRedisBus } from './index.ts';
import { newPrefix, openClient } from './testing/kit.ts';

const SLOTS = 16_384;

/** A cluster of two nodes, each with half of the slots; returns the addresses of both. */
async function startCluster(t: TestContext): Promise<string> {
  const start = async () => {
    const args = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'];
    return startRedis({ args: [...args, '--cluster-port', String(await freePort())] });
  };
  const nodes = await Promise.all([start(), start()]);
  t.after(() => Promise.all(nodes.map((node) => node.stop())));
  const [one, two] = nodes.map((node) => openClient(t, node.url));
  await one?.call('CLUSTER', 'ADDSLOTSRANGE', '0', String(SLOTS / 2 - 1));
  await two?.call('CLUSTER', 'ADDSLOTSRANGE', String(SLOTS / 2), String(SLOTS - 1));
  const bus = String(await two?.call('CLUSTER', 'NODES')).match(/:(\d+)@(\d+)/);
  await one?.call('CLUSTER', 'MEET', '127.0.0.1', String(bus?.[1]), String(bus?.[2]));
  for (const client of [one, two])
    await until('the cluster', async () => {
      const info = String(await client?.call('CLUSTER', 'INFO'));
      return info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`);
    });
  return nodes.map((node) => node.url).join(',');
}

test('runs on a cluster, its shards on different nodes', async (t) => {
  const url = await startCluster(t);
  const bus = await createRedisBus({ url, prefix: newPrefix(), log: silentLogger, shards: 4 });
  t.after(() => bus.close({ graceMs: 0 }));
  await bus.check();
  const heard: string[] = [];
  bus.subscribe('topic', (data) => heard.push(data));
  bus.broadcast('topic', 'hello');
  const threads = Array.from({ length: 12 }, newThreadId);
  const sent: string[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      const [, chat = ''] = turn.chat.split('/');
      return done(turn, [newDelivery(`${chat}: ${payloadsOf(turn)}`, { chat })]);
    }),
    { concurrency: 8, leaseMs: 5_000, maxAttempts: 3 },
  );
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
      return { kind: 'sent' };
    },
    { concurrency: 8, leaseMs: 5_000 },
  );
  for (const n of [1, 2])
    for (const [i, thread] of threads.entries())
      await bus.publish({ ...newInput(thread, n, `telegram/${i}`), busy: 'queue' });
  for (const thread of threads) await idle(bus, thread);
  await until('all sent', () => sent.length === 24);
  for (const i of threads.keys())
    assert.deepEqual(
      sent.filter((text) => text.startsWith(`${i}: `)),
      [`${i}: 1`, `${i}: 2`],
    );
  await until('the broadcast', () => heard.includes('hello'));
});
