import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, test } from 'node:test';
import { createDesk } from '../../../../src/channel/testing/desk.ts';
import { patience } from '../limits.ts';
import type { Heard } from '../normalize/index.ts';
import { HOME_PREFIX, type News, type Order } from '../process/protocol.ts';
import { type Spawn, spawnBot } from './bot-process.ts';
import { Keeper, MEMORY_KEY } from './keeper.ts';

/** A process that does nothing but what the test says. */
interface Puppeteer {
  readonly tell: (news: News) => void;
  readonly orders: Order[];
  readonly end: () => void;
  killed: boolean;
}

const keepers: Keeper[] = [];
afterEach(async () => {
  for (const keeper of keepers.splice(0)) await keeper.stop();
});

function stage(times: Partial<typeof patience> = {}, spawn?: Spawn) {
  const bots: Puppeteer[] = [];
  const memory = new Map<string, string>();
  const desk = createDesk({ channel: 'wx', config: {}, memory });
  const { clock, log, report, secrets } = desk.context;
  const played: Spawn = async (tell) => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const bot: Puppeteer = { tell, orders: [], end, killed: false };
    bots.push(bot);
    return {
      over,
      send: (order) => void bot.orders.push(order),
      kill: () => {
        bot.killed = true;
        end();
      },
    };
  };
  const heard: Heard[] = [];
  const keeper = new Keeper({
    settings: { puppet: 'wechaty-puppet-wechat4u' },
    spawn: spawn ?? played,
    patience: { ...patience, ...times },
    ...{ clock, log, report, secrets },
    onHeard: (news) => void heard.push(news),
  });
  keepers.push(keeper);
  const until = async (condition: () => boolean, timeoutMs = 5_000): Promise<void> => {
    const deadline = performance.now() + timeoutMs;
    while (!condition()) {
      assert.ok(performance.now() < deadline, `it did not come to this; ${JSON.stringify(desk.statuses)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  /** The bot that is running now. */
  const bot = async (number: number): Promise<Puppeteer> => {
    await until(() => (bots[number - 1]?.orders.length ?? 0) > 0);
    const found = bots[number - 1];
    assert.ok(found !== undefined);
    return found;
  };
  return {
    keeper,
    bots,
    bot,
    heard,
    memory,
    until,
    statuses: desk.statuses,
    saved: () => memory.get(`secret/${MEMORY_KEY}`),
  };
}

const login: News = { kind: 'login', account: { id: 'me', name: 'Antler' } };
const offline: News = { kind: 'trouble', fault: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' } };

test('what a bot says that was given up already is not heard', async () => {
  const { keeper, bot, heard, statuses } = stage();
  const started = keeper.start();
  const first = await bot(1);
  first.tell({ kind: 'started' });
  await started;
  first.tell(login);
  first.tell({ kind: 'dead', fault: { message: 'no more' } });
  const second = await bot(2);
  assert.ok(first.killed);
  first.tell({ kind: 'scan', code: 'https://old', state: 'waiting' });
  first.tell({ kind: 'message', facts: {} as never });
  assert.equal(keeper.account, undefined);
  second.tell(login);
  assert.deepEqual(heard, []);
  assert.equal(statuses.at(-1)?.state, 'connected');
  assert.ok(!JSON.stringify(statuses).includes('https://old'));
});

test('what was asked of a bot that dies may have been done', async () => {
  const { keeper, bot } = stage();
  void keeper.start();
  const first = await bot(1);
  first.tell(login);
  const asked = keeper.perform({ kind: 'text', chat: 'a', text: 'x', mentions: [] });
  first.end();
  await assert.rejects(asked, { code: 'uncertain' });
  await assert.rejects(keeper.perform({ kind: 'text', chat: 'a', text: 'x', mentions: [] }), { code: 'unavailable' });
});

test('a call that nobody waits for any more ends at once', async () => {
  const { keeper, bot } = stage();
  void keeper.start();
  (await bot(1)).tell(login);
  const waiting = new AbortController();
  const asked = keeper.perform({ kind: 'fetch', message: 'm', maxBytes: 1 }, waiting.signal);
  waiting.abort();
  await assert.rejects(asked, { code: 'unavailable' });
});

test('a login is kept over restarts, and over a network that fails; one that ended is forgotten', async () => {
  const { keeper, bot, saved, until } = stage();
  void keeper.start();
  const first = await bot(1);
  first.tell(login);
  first.tell({ kind: 'memory', memory: '{"session":1}' });
  await until(() => saved() === '{"session":1}');
  first.tell(offline);
  first.tell({ kind: 'logout' });
  first.tell({ kind: 'memory', memory: '{}' });
  first.end();
  const second = await bot(2);
  assert.equal(second.orders[0]?.kind === 'start' && second.orders[0].memory, '{"session":1}');
  second.tell(login);
  second.tell({ kind: 'logout' });
  second.tell({ kind: 'memory', memory: '{}' });
  await until(() => saved() === '{}');
});

test('errors between messages are survived, errors alone are not', async () => {
  const { keeper, bot, bots } = stage();
  void keeper.start();
  const first = await bot(1);
  first.tell(login);
  for (let i = 0; i < 30; i++) first.tell(i % 5 === 0 ? { kind: 'message', facts: {} as never } : offline);
  assert.equal(first.killed, false);
  for (let i = 0; i < 10; i++) first.tell(offline);
  await bot(2);
  assert.ok(first.killed);
  assert.equal(bots.length, 2);
});

test('wechat4u without a network, which would stumble for ever, is ended and tried again; nothing is left of it', async (t) => {
  const nowhere = 'http://127.0.0.1:9';
  // A place of its own: other tests' bots come and go in the common one.
  const place = await mkdtemp(`${tmpdir()}/antler-keeper-`);
  const former = process.env.TMPDIR;
  process.env.TMPDIR = place;
  t.after(async () => {
    if (former === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = former;
    await rm(place, { recursive: true, force: true });
  });
  const { keeper, until, statuses } = stage(
    {},
    spawnBot({ PATH: process.env.PATH, HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere }),
  );
  const homes = async () => (await readdir(place)).filter((name) => name.startsWith(HOME_PREFIX));
  await keeper.start();
  while ((await homes()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await until(() => statuses.some((one) => one.state === 'failing' && /error after error/.test(one.problem)), 15_000);
  await keeper.stop();
  assert.deepEqual(await homes(), []);
});
