import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { systemClock } from '../../src/base/clock.ts';
import { AntlerError } from '../../src/base/errors.ts';
import type { InboundMessage } from '../../src/channel/message.ts';
import { hastyClock, type RigOptions, startRig } from './testing/rig.ts';

const SECRET = 'a-secret';
const webhook = { transport: 'webhook', webhook_secret: SECRET } as const;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(options: RigOptions = {}) {
  const made = await startRig({ clock: hastyClock, ...options });
  closers.push(made.stop);
  const { telegram, ann, bot, direct } = made;
  const group = telegram.addGroup({ title: 'Team', members: [ann, bot] });
  let pictures = 0;
  /** One picture of an album, as the app sends it. */
  const show = (album: string, text = '', chat = direct) =>
    telegram.people.say(ann, chat, text, {
      media: telegram.media({ kind: 'photo', group: album, bytes: new Uint8Array([++pictures]) }),
    });
  return { ...made, group, show };
}

type Made = Awaited<ReturnType<typeof rig>>;

const brief = ({ id, text, files, addressed }: InboundMessage) => [id, text, files.length, addressed];

/** Delivers updates to a webhook as Telegram does: those of one chat one after the other. */
async function post({ adapter }: Pick<Made, 'adapter'>, ...updates: readonly object[]): Promise<unknown[]> {
  const statuses: unknown[] = [];
  for (const update of updates) {
    const headers = { 'x-telegram-bot-api-secret-token': SECRET };
    const request = new Request('http://x/', { method: 'POST', body: JSON.stringify(update), headers });
    statuses.push((await adapter.webhook?.(request))?.status);
  }
  return statuses;
}

const picture = (id: number, more: object = {}, chat: object = { id: 7, type: 'private', first_name: 'Ann' }) => ({
  update_id: 1_000 + id,
  message: {
    ...{ message_id: id, date: 1_764_500_000, media_group_id: 'G', chat },
    from: { id: 7, is_bot: false, first_name: 'Ann' },
    photo: [{ file_id: `F${id}`, file_unique_id: `U${id}`, width: 1, height: 1 }],
    ...more,
  },
});
const team = { id: -1001, type: 'supergroup', title: 'Team' };
const calling = {
  caption: '@antler_bot compare',
  caption_entities: [{ type: 'mention', offset: 0, length: 11 }],
};

test('four pictures with one caption are one message, and what is said after them comes after them', async () => {
  const { adapter, telegram, inbox, ann, direct, show } = await rig();
  const first = show('A');
  show('A', 'my cats');
  show('A');
  telegram.people.say(ann, direct, 'which is the nicest?');
  await adapter.start();
  const album = await inbox.next();
  assert.deepEqual(brief(album), [String(first.id), 'my cats', 3, 'dm']);
  const fetched = await Promise.all(
    album.files.map(async (file) => adapter.fetchFile?.(file, { maxBytes: 10, signal: AbortSignal.timeout(5_000) })),
  );
  assert.deepEqual(
    fetched.map((file) => file?.content[0]),
    [1, 2, 3],
  );
  assert.equal((await inbox.next()).text, 'which is the nicest?');
});

test('an album without a caption says what it is', async () => {
  const { adapter, inbox, show } = await rig();
  show('A');
  show('A');
  await adapter.start();
  assert.equal((await inbox.next()).text, '[image]\n[image]');
});

test('a picture that comes late is a message of its own, which refers to the album and addresses whom it addresses', async () => {
  const made = await rig({ config: webhook });
  await post(made, picture(1, calling, team), picture(2, {}, team));
  const album = await made.inbox.next();
  assert.deepEqual(brief(album), ['1', 'compare', 2, 'mention']);
  assert.deepEqual(await post(made, picture(3, {}, team)), [200]);
  const late = await made.inbox.next();
  assert.deepEqual(brief(late), ['3', '[image]', 1, 'mention']);
  assert.deepEqual([late.quote?.messageId, late.quote?.text], ['1', 'compare']);
});

test('by webhook, a part is acknowledged once it is written down, and the album survives the process', async () => {
  const memory = new Map<string, string>();
  const first = await rig({ config: webhook, memory });
  first.inbox.refuse = () => new AntlerError('unavailable', 'no database');
  assert.deepEqual(await post(first, picture(1), picture(2)), [200, 200]);
  await first.adapter.stop();
  const second = await rig({ config: webhook, memory });
  await second.adapter.start();
  assert.deepEqual(brief(await second.inbox.next()), ['1', '[image]\n[image]', 2, 'dm']);
  await second.adapter.stop();
  await second.adapter.start();
  await post(second, {
    update_id: 1,
    message: { ...picture(9).message, photo: undefined, media_group_id: undefined, text: 'x' },
  });
  assert.equal((await second.inbox.next()).text, 'x');
});

test('an album that came by webhook is not forgotten when the transport is changed to polling', async () => {
  const memory = new Map<string, string>();
  const before = await rig({ config: webhook, memory });
  await post(before, picture(1), picture(2));
  await before.adapter.stop();
  const after = await rig({ memory });
  await after.adapter.start();
  assert.equal((await after.inbox.next()).files.length, 2);
});

test('by webhook, what cannot be written down is not acknowledged', async () => {
  const memory = new Map<string, string>();
  const made = await rig({ config: webhook, memory });
  const set = memory.set.bind(memory);
  memory.set = () => {
    throw new AntlerError('unavailable', 'no database');
  };
  assert.deepEqual(await post(made, picture(1)), [503]);
  memory.set = set;
  assert.deepEqual(await post(made, picture(1)), [200]);
  assert.equal((await made.inbox.next()).files.length, 1);
});

test('by webhook, more than can be kept while intake is down is left to Telegram', async () => {
  const made = await rig({ config: webhook });
  made.inbox.refuse = () => new AntlerError('unavailable', 'no database');
  const updates = Array.from({ length: 101 }, (_, index) => picture(index + 1, { media_group_id: `G${index % 11}` }));
  const statuses = await post(made, ...updates);
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [100, 503]);
});

test('by webhook, what the same person says after an album comes after it', async () => {
  const made = await rig({ config: webhook });
  const after = {
    update_id: 9,
    message: { ...picture(9).message, photo: undefined, media_group_id: undefined, text: 'which?' },
  };
  await post(made, picture(1), picture(2), after);
  assert.deepEqual(brief(await made.inbox.next()), ['1', '[image]\n[image]', 2, 'dm']);
  assert.equal((await made.inbox.next()).text, 'which?');
});

test('an album that Telegram posts, which waits with each part for the one before, is one message', async (t) => {
  // Real time: on a busy machine ten requests take longer than the hasty clock's patience.
  const made = await rig({ config: webhook, clock: systemClock });
  const server = createServer(getRequestListener((request) => made.adapter.webhook?.(request) ?? new Response()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  made.bot.webhook.set({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: SECRET,
    maxConnections: 40,
  });
  const { id } = made.show('A', 'see');
  for (let more = 1; more < 10; more++) made.show('A');
  assert.deepEqual(brief(await made.inbox.next()), [String(id), 'see', 10, 'dm']);
});

test('while polling, an album that intake refuses is fetched again whole', async () => {
  const { adapter, inbox, show } = await rig();
  const first = show('A', 'cats');
  show('A');
  let refusals = 0;
  inbox.refuse = () => refusals++ === 0 && new AntlerError('unavailable', 'down', { retryable: true });
  await adapter.start();
  assert.deepEqual(brief(await inbox.next()), [String(first.id), 'cats', 2, 'dm']);
});

test('parts that are delivered again, however they are gathered, are known', async () => {
  const made = await rig({ config: webhook });
  await post(made, picture(1), picture(2), picture(3));
  await made.inbox.next();
  assert.deepEqual(await post(made, picture(2)), [200]);
  assert.deepEqual(await post(made, picture(3), picture(4)), [200, 200]);
  assert.deepEqual(brief(await made.inbox.next()), ['4', '[image]', 1, 'dm']);
  assert.equal(made.inbox.waiting, 0);
});

test('after a crash between taking in and noting it, the same message is offered again, and the late part too', async () => {
  const memory = new Map<string, string>();
  const before = await rig({ config: webhook, memory });
  // Intake has stored it, but the process dies before it hears so.
  const stored: InboundMessage[] = [];
  const died = Promise.withResolvers<void>();
  before.inbox.refuse = (message) => {
    stored.push(message);
    died.resolve();
    return new AntlerError('unavailable', 'died');
  };
  await post(before, picture(1, { caption: 'two' }), picture(2));
  await died.promise;
  await before.adapter.stop();
  const after = await rig({ config: webhook, memory });
  assert.deepEqual(await post(after, picture(2), picture(3)), [200, 200]);
  const again = await after.inbox.next();
  assert.deepEqual(again, stored[0]);
  assert.deepEqual(brief(await after.inbox.next()), ['3', '[image]', 1, 'dm']);
});

test('parts that reach different replicas are one message, which both may hand over', async () => {
  const memory = new Map<string, string>();
  const [here, there] = [await rig({ config: webhook, memory }), await rig({ config: webhook, memory })];
  const seen: InboundMessage[] = [];
  const handed = Promise.withResolvers<InboundMessage>();
  for (const { inbox } of [here, there])
    inbox.refuse = (message) => {
      seen.push(message);
      handed.resolve(message);
      return false;
    };
  await post(here, picture(1, calling, team));
  await post(there, picture(2, {}, team));
  await post(here, picture(3, {}, team));
  for (const message of [await handed.promise, ...seen])
    assert.deepEqual(brief(message), ['1', 'compare', 3, 'mention']);
});

test('an edited caption edits the whole album', async () => {
  const made = await rig({ config: webhook });
  await post(made, picture(1), picture(2, { caption: 'teh' }));
  await made.inbox.next();
  const edited = (caption: string) => picture(2, { caption, edit_date: 1_764_500_009 }).message;
  await post(made, { update_id: 5_000, edited_message: edited('teh') });
  assert.equal(made.inbox.waiting, 0);
  await post(made, { update_id: 5_001, edited_message: edited('the') });
  const edit = await made.inbox.next();
  assert.deepEqual([edit.kind, ...brief(edit)], ['edit', '1', 'the', 2, 'dm']);
});

test('stop does not wait for an album, and what of it was gathered is delivered again', async () => {
  const { adapter, inbox, telegram, show } = await rig();
  await adapter.start();
  await telegram.calls.waitFor('getUpdates', 1);
  show('A');
  show('A');
  await telegram.calls.waitFor('getUpdates', 2);
  const before = performance.now();
  await adapter.stop();
  assert.ok(performance.now() - before < 500);
  assert.equal(inbox.waiting, 0);
  await adapter.start();
  assert.equal((await inbox.next()).files.length, 2);
});

test('an album is at most ten pictures, and a full one waits for nothing', async () => {
  const sleepForEver = (_: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const { adapter, inbox, show } = await rig({ clock: { now: Date.now, sleep: sleepForEver } });
  for (let more = 0; more < 10; more++) show('A');
  await adapter.start();
  assert.equal((await inbox.next()).files.length, 10);
});
