import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { startRedis } from '../../testing/services.ts';
import { newDelivery, until } from '../contract/kit.ts';
import type { SendOutcome } from '../port.ts';
import { list, type Reply } from './reply.ts';
import { Scripts } from './scripts.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';
import { mortalRedis } from './testing/mortal.ts';

const LEASE_MS = 1_000;
/** Longer than a lease, and than senders are silent. */
const AWAY_MS = 3_500;
const HOUR_MS = 3_600_000;

/** Asks for deliveries as a sender of this name does, always with the same request. */
function takeAs(name: string, client: Redis, prefix: string): Promise<Reply> {
  const settings = { base: `{${prefix}}:`, flags: true, places: { chat: 4, user: 4 }, maxInbox: 10 };
  return new Scripts(settings).run(client, 'take', name, '1', 5, LEASE_MS, 1, 'telegram');
}

test('sends that came to an end while Redis was away for longer than their lease were called uncertain', async (t) => {
  const redis = await mortalRedis(t);
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const sends: string[] = [];
  const away = Promise.withResolvers<void>();
  const outcomes: Readonly<Record<string, SendOutcome>> = {
    sent: { kind: 'sent' },
    dead: { kind: 'dead', error: 'the chat is gone' },
  };
  await bus.outbox.enqueue([
    newDelivery('sent', { chat: '1', resendForMs: HOUR_MS }),
    newDelivery('behind it', { chat: '1' }),
    newDelivery('dead', { chat: '2', resendForMs: HOUR_MS }),
  ]);
  const handle = async (text: string): Promise<SendOutcome> => {
    sends.push(text);
    const outcome = outcomes[text];
    if (outcome !== undefined) await away.promise;
    return outcome ?? { kind: 'sent' };
  };
  const options = { concurrency: 4, leaseMs: LEASE_MS };
  const markdownOf = (outgoing: Parameters<Parameters<typeof bus.outbox.send>[1]>[0]): string =>
    outgoing.kind === 'delivery' ? outgoing.delivery.document.markdown : 'a draft';
  await bus.outbox.send(['telegram'], (outgoing) => handle(markdownOf(outgoing)), options);
  await until('both under way', () => sends.length === 2);
  await redis.kill();
  away.resolve();
  await delay(AWAY_MS);
  await redis.start();
  // Another sender is there first.
  const [, uncertain, ...taken] = list(await takeAs('another', openClient(t, redis.url), prefix));
  assert.deepEqual([uncertain, taken], [[], []]);
  const works = (): Promise<number> =>
    bus.stats().then(
      ({ pendingDeliveries }) => pendingDeliveries,
      () => Number.NaN,
    );
  await until('all reported', async () => (await works()) === 0);
  assert.deepEqual(sends.toSorted(), ['behind it', 'dead', 'sent']);
  const letters = await bus.deadLetters.list(10);
  assert.deepEqual(
    letters.map(({ kind, error }) => [kind, error]),
    [['delivery', 'the chat is gone']],
  );
});

test('deliveries whose taker had lost the reply, and asked again after their lease, were called uncertain', async (t) => {
  const server = await startRedis();
  t.after(() => server.stop());
  const prefix = newPrefix();
  const bus = await openBus(t, server.url, prefix);
  const client = openClient(t, server.url);
  await bus.outbox.enqueue([newDelivery('a')]);
  const [, , taken] = list(await takeAs('me', client, prefix));
  assert.notEqual(taken, undefined);
  await delay(1.5 * LEASE_MS);
  const [, uncertain, again] = list(await takeAs('me', client, prefix));
  assert.deepEqual([uncertain, again], [[], taken]);
  // It is his for one more lease.
  const [flight, ends = '0'] = await client.zrange(`{${prefix}}:fl:telegram`, '0', '0', 'WITHSCORES');
  assert.equal(flight, 'telegram/1');
  const [seconds] = await client.time();
  assert.ok(Number(ends) >= Number(seconds) * 1_000);
});
