import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createBusOperator } from '../../admin/bus-operator.ts';
import type { Connection, LetterView, Overview } from '../../admin/operator.ts';
import { busForTests, failForTests, loseDeliveries, loseTurn } from '../../admin/testing/bus.ts';
import { silentLogger } from '../../base/logger.ts';
import { channelReport } from './channels.ts';
import { letterReport } from './letters.ts';
import { type OperateOptions, runOperate } from './operate.ts';
import { usageReport } from './usage.ts';

type Asked = Pick<OperateOptions, 'command' | 'operand' | 'json' | 'limit'>;

async function operateForTests(t: TestContext) {
  const bus = await busForTests(t);
  const channels = new Map<string, Connection>([['telegram', { state: 'unknown' }]]);
  const operator = createBusOperator({ bus, channels: () => channels, scrub: (text) => text, log: silentLogger });
  const antler = async (command: Asked['command'], operand = '', more: Pick<Asked, 'json' | 'limit'> = {}) => {
    const printed: string[] = [];
    await runOperate({ command, operand, ...more, operator, print: (text) => printed.push(text) });
    return printed.join('\n');
  };
  return { bus, operator, antler };
}

const figures = { queued_threads: 1, running_threads: 2, waiting_inputs: 3, pending_deliveries: 1, dead_letters: 0 };

test('channels: a line each, and what waits', () => {
  const overview: Overview = {
    bus: figures,
    channels: [
      { name: 'web', paused: false, connection: { state: 'connected' } },
      { name: 'telegram', paused: true, connection: { state: 'failing', problem: 'the token is refused' } },
      { name: 'old', paused: true, connection: { state: 'absent' } },
      { name: 'b', paused: false, connection: { state: 'standby' } },
      { name: 'w', paused: false, connection: { state: 'login', qr: 'https://x.y', hint: 'Scan it.' } },
    ],
  };
  assert.deepEqual(channelReport(overview).lines, [
    'web       on      connected',
    'telegram  paused  failing: the token is refused',
    'old       paused  not configured',
    'b         on      standing by: another gateway has the connection',
    'w         on      waits for a login: Scan it. The page /channels/w/login shows the code.',
    '',
    '3 messages in 1 conversation to be answered · 2 being answered · 1 message to be sent · 0 dead letters',
  ]);
  const { lines } = channelReport({ bus: { ...figures, dead_letters: 1 }, channels: [] });
  assert.equal(lines[0], 'No channel is switched on.');
  assert.equal(lines.at(-1), 'antler dead-letters shows what could not be answered or delivered');
});

test('dead letters: what, where, why and who said what', () => {
  const at = Date.parse('2026-03-04T05:06:07');
  const letter: LetterView = {
    id: 'd_1',
    kind: 'uncertain',
    at,
    error: 'no answer came',
    channel: 'telegram',
    chat: '-100',
    said: [{ who: null, at, text: 'Hello' }],
    more: 0,
  };
  const turn: LetterView = { ...letter, kind: 'turn', thread: 't_1', said: [{ who: 'Ann', at, text: 'Hi' }], more: 2 };
  assert.deepEqual(letterReport({ total: 5, letters: [letter, turn] }).lines, [
    'd_1',
    '  2026-03-04 05:06:07  uncertain: sent or not, nobody knows  telegram, chat -100',
    '  error   no answer came',
    '  2026-03-04 05:06:07  (the bot): Hello',
    '',
    'd_1',
    '  2026-03-04 05:06:07  not answered  telegram, chat -100',
    '  error   no answer came',
    '  thread  t_1',
    '  2026-03-04 05:06:07  Ann: Hi',
    '  … and 2 more',
    '',
    '5 dead letters, the newest 2 are shown (--limit shows more).',
    'antler dead-letters replay ID tries one once more, antler dead-letters drop ID throws it away;',
    '"all" in the place of ID means every one.',
  ]);
  assert.deepEqual(letterReport({ total: 0, letters: [] }).lines, ['There are no dead letters.']);
});

test('what failed is listed, put back and thrown away by command', async (t) => {
  const { bus, operator, antler } = await operateForTests(t);
  const worked = await failForTests(bus);
  await loseTurn(bus, 'Ann', 'What is up?');
  await loseDeliveries(bus, ['one', 'two?']);
  const ids = (await operator.deadLetters(9)).letters.map(({ id }) => id);
  const listed = await antler('dead-letters list');
  for (const id of ids) assert.ok(listed.includes(id));
  assert.match(listed, /Ann: What is up\?/);
  assert.ok(!(await antler('dead-letters list', '', { limit: 1 })).includes('Ann'));
  worked.mend();
  assert.equal(await antler('dead-letters replay', ids[0]), `${ids[0]} was put back and is tried once more.`);
  assert.equal(await antler('dead-letters drop', ids[2]), `${ids[2]} was thrown away.`);
  assert.equal(await antler('dead-letters replay', 'all'), '1 dead letter was put back.');
  assert.equal(await antler('dead-letters drop', 'all'), '0 dead letters were thrown away.');
  await assert.rejects(antler('dead-letters replay', 'd_x'), { code: 'not_found', message: /"d_x"/ });
});

test('a channel is paused and resumed by command', async (t) => {
  const { bus, antler } = await operateForTests(t);
  assert.match(await antler('channels pause', 'telegram'), /^telegram is paused\. .*"antler channels resume telegram"/);
  assert.deepEqual(await bus.paused(), ['telegram']);
  assert.match(await antler('channels list'), /^telegram {2}paused {2}unknown: no running Antler answered$/m);
  assert.match(await antler('channels resume', 'telegram'), /^telegram goes on\./);
  assert.deepEqual(await bus.paused(), []);
  await assert.rejects(antler('channels pause', 'telegarm'), { code: 'not_found', message: /did you mean "telegram"/ });
});

test('the number of a login needs its channel, and an Antler that runs', async (t) => {
  const { antler } = await operateForTests(t);
  for (const operand of ['telegram', 'telegram=', '=1', 'telegram=1 2'])
    await assert.rejects(antler('channels login-code', operand), { code: 'bad_input' }, operand);
  await assert.rejects(antler('channels login-code', 'telegram=12'), { code: 'unavailable', message: /No running/ });
});

test('scripts get JSON', async (t) => {
  const { bus, operator, antler } = await operateForTests(t);
  await failForTests(bus);
  await loseDeliveries(bus, ['one', 'two']);
  const read = async (...asked: Parameters<typeof antler>): Promise<unknown> =>
    JSON.parse(await antler(asked[0], asked[1], { json: true }));
  assert.deepEqual(await read('channels list'), await operator.overview());
  const list = await operator.deadLetters(20);
  assert.deepEqual(await read('dead-letters list'), list);
  assert.deepEqual(await read('channels pause', 'telegram'), { name: 'telegram', paused: true });
  assert.deepEqual(await read('channels resume', 'telegram'), { name: 'telegram', paused: false });
  assert.deepEqual(await read('dead-letters drop', list.letters[0]?.id), { done: 1, left: 0 });
  assert.deepEqual(await read('dead-letters drop', 'all'), { done: 1, left: 0 });
});

test('usage: a line each, with limits and cost', async (t) => {
  const day = {
    starts_at: 0,
    resets_at: Date.parse('2026-03-05T00:00:00'),
    runs: 4,
    input_tokens: 900,
    output_tokens: 100,
  };
  const hour = { starts_at: 0, resets_at: Date.parse('2026-03-04T06:00:00') };
  const { lines } = usageReport({
    consumers: [
      {
        scope: 'person',
        id: 'p_1',
        name: 'Ann',
        day: { ...day, used: 1_000, limit: 5_000, cost: [{ currency: 'USD', amount: 0.00125 }] },
        hour: { ...hour, used: 2, limit: 10 },
        now: { used: 1, limit: 2 },
      },
      {
        scope: 'channel',
        id: 'telegram',
        name: null,
        day: { ...day, used: 700, limit: null, cost: [] },
        hour: { ...hour, used: 2, limit: null },
        now: null,
      },
    ],
  });
  assert.deepEqual(lines, [
    '         today: tokens  answers  this hour  now     cost',
    'person   1000 of 5000   4        2 of 10    1 of 2  0.0013 USD  Ann (p_1)',
    'channel  700            4        2          -       -           telegram',
    '',
    "The day ends at 2026-03-05 00:00:00, the hour at 2026-03-04 06:00:00 (this machine's time).",
  ]);
  assert.deepEqual(usageReport({ consumers: [] }).lines, ['Nobody has used anything today.']);
  const { antler } = await operateForTests(t);
  await assert.rejects(antler('usage'), /what was used needs one/);
});
