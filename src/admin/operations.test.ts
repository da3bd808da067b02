import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { until } from '../bus/contract/kit.ts';
import { createBusOperator } from './bus-operator.ts';
import type { McpDesk } from './mcp-servers.ts';
import { operations } from './operations.ts';
import type { Connection, LetterView } from './operator.ts';
import { busForTests, failForTests, loseDeliveries, loseTurn } from './testing/bus.ts';

const nothing = { queued_threads: 0, running_threads: 0, waiting_inputs: 0, pending_deliveries: 0, dead_letters: 0 };

const idle = { name: 'docs', state: 'idle', tools: 0 } as const;
const mcpForTests: McpDesk = {
  statuses: [idle],
  check: async (name) => {
    if (name !== 'docs') throw new AntlerError('not_found', `There is no MCP server named ${name}.`);
    return { ...idle, state: 'failing', problem: 'it is away' };
  },
};

async function operationsForTests(t: TestContext) {
  const bus = await busForTests(t);
  const channels = new Map<string, Connection>([
    ['web', { state: 'connected' }],
    ['telegram', { state: 'failing', problem: 'the token is refused' }],
  ]);
  const scrub = (text: string): string => text.replaceAll('sk-secret', '***');
  const codes: string[] = [];
  const enterLoginCode = async (channel: string, code: string) => void codes.push(`${channel} ${code}`);
  const operator = createBusOperator({ bus, channels: () => channels, enterLoginCode, scrub, log: silentLogger });
  const app = operations({ operator, mcp: mcpForTests, log: silentLogger });
  const call = async (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await app.request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  };
  const letters = async (query = ''): Promise<LetterView[]> => (await call(`GET /dead-letters${query}`)).body.letters;
  return { bus, channels, call, codes, letters };
}

test('an idle bus: figures, and the channels with what their connections do', async (t) => {
  const { call } = await operationsForTests(t);
  assert.deepEqual(await call('GET /'), {
    status: 200,
    body: {
      bus: nothing,
      channels: [
        { name: 'web', paused: false, connection: { state: 'connected' } },
        { name: 'telegram', paused: false, connection: { state: 'failing', problem: 'the token is refused' } },
      ],
    },
  });
  assert.deepEqual((await call('GET /dead-letters')).body, { total: 0, letters: [] });
});

test('servers of tools are told with how they are, and tried when asked to', async (t) => {
  const { call } = await operationsForTests(t);
  assert.deepEqual((await call('GET /mcp-servers')).body, { servers: [idle] });
  const { body } = await call('POST /mcp-servers/docs/check');
  assert.deepEqual(body, { name: 'docs', state: 'failing', tools: 0, problem: 'it is away' });
  assert.equal((await call('POST /mcp-servers/other/check')).status, 404);
});

test('dead letters are listed newest first, with who said what and without secrets', async (t) => {
  const { bus, call, letters } = await operationsForTests(t);
  await failForTests(bus);
  await loseTurn(bus, 'Ann', `my key is sk-secret ${'x'.repeat(300)}`);
  await loseDeliveries(bus, ['gone', 'sent?']);
  const { body } = await call('GET /dead-letters');
  assert.equal(body.total, 3);
  assert.deepEqual(
    body.letters.map(({ kind, error, channel, chat }: LetterView) => [kind, error, channel, chat]),
    [
      ['uncertain', 'the chat is gone', 'telegram', '1'],
      ['delivery', 'the chat is gone', 'telegram', '1'],
      ['turn', 'the model refused', 'telegram', '1'],
    ],
  );
  const [said] = body.letters[2].said;
  assert.deepEqual([said.who, said.at, said.text.length], ['Ann', 1_000, 200]);
  assert.match(said.text, /^my key is \*\*\* x+…$/);
  assert.match(body.letters[2].thread, /^t_/);
  assert.deepEqual(
    (await letters('?limit=1')).map(({ kind }) => kind),
    ['uncertain'],
  );
  assert.equal((await call('GET /')).body.bus.dead_letters, 3);
});

test('a dead letter is put back or thrown away, once', async (t) => {
  const { bus, call, letters } = await operationsForTests(t);
  const worked = await failForTests(bus);
  await loseDeliveries(bus, ['a', 'b']);
  const [b, a] = (await letters()).map(({ id }) => id);
  worked.mend();
  assert.deepEqual(await call(`POST /dead-letters/${a}/replay`), { status: 200, body: { id: a } });
  await until('a is sent', () => worked.sent.includes('a'));
  assert.deepEqual(await call(`DELETE /dead-letters/${b}`), { status: 200, body: { id: b } });
  assert.equal((await call('GET /dead-letters')).body.total, 0);
  for (const line of [`POST /dead-letters/${a}/replay`, `DELETE /dead-letters/${b}`, 'DELETE /dead-letters/a%2Fb']) {
    const { status, body } = await call(line);
    assert.deepEqual([status, body.error.code], [404, 'not_found'], line);
  }
});

test('all are put back in the order in which they failed', async (t) => {
  const { bus, call } = await operationsForTests(t);
  const worked = await failForTests(bus);
  await loseDeliveries(bus, ['one', 'two?', 'three']);
  await bus.pause('telegram'); // so that the first is not on its way before the last is back
  worked.mend();
  assert.deepEqual(await call('POST /dead-letters/replay'), { status: 200, body: { done: 3, left: 0 } });
  await bus.resume('telegram');
  await until('all are sent', () => worked.sent.length === 3);
  assert.deepEqual(worked.sent, ['one', 'two?', 'three']);
});

test('all are thrown away', async (t) => {
  const { bus, call } = await operationsForTests(t);
  await failForTests(bus);
  await loseDeliveries(bus, ['one', 'two']);
  assert.deepEqual((await call('DELETE /dead-letters')).body, { done: 2, left: 0 });
  assert.deepEqual((await call('DELETE /dead-letters')).body, { done: 0, left: 0 });
});

test('a channel is paused and resumed, however often it is said', async (t) => {
  const { bus, call } = await operationsForTests(t);
  for (const paused of [true, true, false, false]) {
    const { status, body } = await call(`POST /channels/telegram/${paused ? 'pause' : 'resume'}`);
    assert.deepEqual([status, body], [200, { name: 'telegram', paused }]);
    assert.deepEqual(await bus.paused(), paused ? ['telegram'] : []);
    const [, telegram] = (await call('GET /')).body.channels;
    assert.equal(telegram.paused, paused);
  }
});

test('a channel that is not there is told with the one that was meant', async (t) => {
  const { bus, call } = await operationsForTests(t);
  const message = async (line: string): Promise<string> => {
    const { status, body } = await call(line);
    assert.deepEqual([status, body.error.code], [404, 'not_found'], line);
    return body.error.message;
  };
  assert.match(await message('POST /channels/telegarm/pause'), /"telegarm"; did you mean "telegram"\?$/);
  assert.match(await message('POST /channels/x%22y/resume'), /"x\\"y"; there are web, telegram$/);
  assert.deepEqual(await bus.paused(), []);
});

test('a paused channel that was taken out of the configuration is shown, and can be resumed', async (t) => {
  const { bus, channels, call } = await operationsForTests(t);
  await call('POST /channels/telegram/pause');
  channels.delete('telegram');
  assert.deepEqual((await call('GET /')).body.channels[1], {
    name: 'telegram',
    paused: true,
    connection: { state: 'absent' },
  });
  assert.equal((await call('POST /channels/telegram/pause')).status, 404);
  assert.equal((await call('POST /channels/telegram/resume')).status, 200);
  assert.deepEqual(await bus.paused(), []);
});

test('a limit that is none is refused', async (t) => {
  const { call } = await operationsForTests(t);
  for (const limit of ['0', '-1', '1001', '1.5', 'x', ''])
    assert.deepEqual((await call(`GET /dead-letters?limit=${limit}`)).body.error.code, 'bad_input', limit);
});

test('a bus that fails is told without its insides', async (t) => {
  const { bus, call } = await operationsForTests(t);
  await bus.close();
  const { status, body } = await call('GET /dead-letters');
  assert.ok(status >= 500);
  assert.doesNotMatch(body.error.message, /sqlite|bus\.db/i);
});

test('the number of a login is handed to its channel, and nothing else is', async (t) => {
  const { call, codes } = await operationsForTests(t);
  const path = 'POST /channels/telegram/login-code';
  assert.deepEqual(await call(path, { code: ' 1234 ' }), { status: 200, body: { name: 'telegram' } });
  for (const body of [{}, { code: '' }, { code: '12 34' }, { code: '1'.repeat(17) }, { code: 1234 }])
    assert.equal((await call(path, body)).status, 400, JSON.stringify(body));
  assert.equal((await call('POST /channels/other/login-code', { code: '1' })).status, 404);
  assert.deepEqual(codes, ['telegram 1234']);
});

test('what was used is listed, so much as is asked for', async (t) => {
  const bus = await busForTests(t);
  const asked: number[] = [];
  const usage = async (limit: number) => ({ consumers: [], limit: asked.push(limit) });
  const about = { bus, channels: () => new Map(), scrub: (text: string) => text, log: silentLogger };
  const app = operations({ operator: createBusOperator({ ...about, usage }), log: silentLogger });
  const status = async (path: string): Promise<number> => (await app.request(path)).status;
  assert.deepEqual([await status('/usage'), await status('/usage?limit=7')], [200, 200]);
  assert.deepEqual(asked, [50, 7]);
  assert.equal(await status('/usage?limit=many'), 400);
  const alone = operations({ operator: createBusOperator(about), log: silentLogger });
  assert.equal((await alone.request('/usage')).status, 503);
});
