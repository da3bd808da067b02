import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { targetOf } from '../../channel/target.ts';
import { enterRoom, openRoom, type Subject } from './room.ts';

/** What keeps a process alive, by kind and number. */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const grown = (before: ReadonlyMap<string, number>): string[] =>
  [...resources()]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count} ${kind}`);

async function assertQuiet(quiet: ReadonlyMap<string, number>): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (grown(quiet).length > 0 && performance.now() < deadline) await sleep(20);
  assert.deepEqual(grown(quiet), []);
}

/** How an adapter lives, and what it never does. */
export function lifeConformance(subject: Subject): void {
  let quiet: ReadonlyMap<string, number> = new Map();
  before(() => {
    quiet = resources();
  });

  test('it says who it is on the platform', async (t) => {
    const { adapter } = await openRoom(t, subject);
    const health = await adapter.probe();
    assert.deepEqual([health.ok, health.problem], [true, undefined]);
    assert.ok((health.identity ?? '').length > 0);
  });

  test('it can read what was said before exactly if it says so', async (t) => {
    const { adapter, manifest } = await openRoom(t, subject);
    assert.equal(adapter.earlier !== undefined, manifest.capabilities.history);
  });

  test('stop() leaves no timer, socket or listener, and can be followed by another start', async (t) => {
    const room = await openRoom(t, subject);
    await room.play.say(room.play.ann, room.play.annAlone, { text: 'hello' });
    await room.desk.inbox.next();
    await room.adapter.stop();
    await room.adapter.start();
    await room.play.say(room.play.ann, room.play.annAlone, { text: 'again' });
    const target = targetOf(await room.desk.inbox.next());
    await room.adapter.send(target, { markdown: 'bye' }, { key: 'bye' });
    const began = performance.now();
    await room.adapter.stop();
    assert.ok(performance.now() - began < 3_000, 'stop() took too long');
    await room.close();
    await assertQuiet(quiet);
  });

  test('stop() while start() still works ends it: nothing is taken in any more', async (t) => {
    const room = await enterRoom(t, subject);
    const started = room.adapter.start().catch(() => {}); // it may say that it was stopped
    await new Promise((resolve) => setImmediate(resolve));
    await room.adapter.stop();
    await started;
    await room.play.say(room.play.ann, room.play.annAlone, { text: 'anybody there?' });
    await sleep(100);
    assert.equal(room.desk.inbox.waiting, 0);
    await room.close();
    await assertQuiet(quiet);
  });

  test('stop() right behind start() leaves nothing either', async (t) => {
    const room = await openRoom(t, subject);
    // Long enough for a connection to be begun, and too short for it to be made.
    await room.adapter.probe();
    await room.close();
    await assertQuiet(quiet);
  });

  test('a webhook that anybody could have called gets 401 and does nothing', async (t) => {
    const { play, adapter, desk, webhookUrl } = await openRoom(t, subject);
    if (play.forgeries === undefined) {
      if (adapter.webhook === undefined) return t.skip('this transport has no webhook');
      const request = new Request(webhookUrl, { method: 'POST', body: '{}' });
      assert.ok((await adapter.webhook(request)).status >= 400);
      return;
    }
    const forgeries = await play.forgeries(webhookUrl);
    assert.ok(forgeries.length >= 3);
    for (const request of forgeries) assert.equal((await adapter.webhook?.(request))?.status, 401);
    assert.equal(desk.inbox.waiting, 0);
    await play.say(play.ann, play.annAlone, { text: 'the real one' });
    assert.equal((await desk.inbox.next()).text, 'the real one');
  });

  /** 413 is for those who have proven themselves before their body, as Telegram does by a header. */
  test('a body without end gets 401 from whoever is not proven, claims or not, and is not read to the end', async (t) => {
    const { play, adapter, desk, webhookUrl } = await openRoom(t, subject);
    if (adapter.webhook === undefined || play.forgeries === undefined) return t.skip('this transport has no webhook');
    for (const { url, method, headers } of await play.forgeries(webhookUrl)) {
      if (method !== 'POST') continue;
      let pieces = 0;
      const body = new ReadableStream({
        pull: (controller) => {
          pieces += 1;
          controller.enqueue(new Uint8Array(PIECE_BYTES).fill(0x20));
        },
      });
      const endless: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' };
      const response = await adapter.webhook(new Request(url, endless));
      assert.equal(response.status, 401);
      assert.doesNotMatch(await response.text(), /\d{4}|large/, 'it tells no limit');
      assert.ok(pieces * PIECE_BYTES < 8_000_000);
    }
    assert.equal(desk.inbox.waiting, 0);
  });
}

const PIECE_BYTES = 250_000;
