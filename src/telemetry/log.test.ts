import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import { createLogger, type LogOptions } from './log.ts';
import { registerSecret } from './scrub.ts';

function logOf(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', pretty: false, write: (line) => lines.push(line), ...options });
  return { log, lines, last: (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}') };
}

test('a line is JSON with level, time, fields and message', () => {
  const { log, last } = logOf();
  log.child({ room: 'bus' }).info({ thread: 't_1', inputTokens: 7 }, 'turn taken');
  const { time, ...rest } = last();
  assert.equal(typeof time, 'number');
  assert.deepEqual(rest, { level: 'info', room: 'bus', thread: 't_1', inputTokens: 7, msg: 'turn taken' });
});

test('lines below the level are not written', () => {
  const { log, lines } = logOf({ level: 'warn' });
  log.info({}, 'no');
  log.warn({}, 'yes');
  assert.equal(lines.length, 1);
});

test('secrets do not come out, wherever they were put in', () => {
  const { log, lines } = logOf();
  registerSecret('quoted"secret-value');
  registerSecret('plain/secret-value');
  const token = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
  const key = 'sk-proj-abcdef0123456789';
  log.info(
    { bot_token: 'x1', nested: { list: [{ apiKey: 'x2', Authorization: 'x3' }], password: { deep: 'x4' } } },
    'keys',
  );
  log.info(
    { url: `https://api.telegram.org/bot${token}/getMe` },
    `GET https://api.telegram.org/file/bot${token}/a.jpg`,
  );
  log.info({ header: 'authorization: Bearer abc.def-ghi' }, `model said: bad key ${key}`);
  log.info({ header: 'authorization: Basic YW50bGVyOnNlY3JldA==' }, 'basic YW50bGVyOnNlY3JldA');
  log.info({ url: 'redis://user:hunter22@redis:6379/0' }, 'GET https://x.example/?a=1&access_token=abcdef');
  log.info({ what: 'a quoted"secret-value b' }, 'url plain%2Fsecret-value');
  log.child({ owner_token: 'x5', at: `/bot${token}/` }).error({ err: new Error(`failed: ${token}`) }, token);
  const all = lines.join('');
  for (const secret of [
    token,
    key,
    'abc.def-ghi',
    'hunter22',
    'abcdef',
    'secret-value',
    'YW50bGVy',
    'x1',
    'x2',
    'x3',
    'x4',
    'x5',
  ])
    assert.ok(!all.includes(secret), `${secret} in ${all}`);
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line));
});

test('a sentence that only sounds like a credential stays readable', () => {
  const { log, last } = logOf();
  const hint = 'Make one with connections:write (Basic Information, App-Level Tokens); basic knowledge is enough.';
  log.info({}, hint);
  assert.equal(last().msg, hint);
});

test('an error comes with code, causes and stack', () => {
  const { log, last } = logOf();
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  log.error({ err: new AntlerError('unavailable', 'Redis is not reachable', { cause, retryable: true }) }, 'no bus');
  assert.partialDeepStrictEqual(last().err, {
    type: 'AntlerError',
    code: 'unavailable',
    message: 'Redis is not reachable',
    retryable: true,
    cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  });
});

test('nothing that is logged can break the log', () => {
  const { log, lines, last } = logOf();
  const circle: Record<string, unknown> = { name: 'circle' };
  circle.self = circle;
  const trap = Object.defineProperty({}, 'bad', {
    enumerable: true,
    get: () => {
      throw new Error('trap');
    },
  });
  const many = Array.from({ length: 5000 }, (_, index) => index);
  log.info({ circle, trap, many, big: 10n, bytes: Buffer.alloc(9), long: 'x'.repeat(100_000), at: new Date(0) }, 'odd');
  assert.ok((lines[0]?.length ?? 0) < 10_000);
  assert.partialDeepStrictEqual(last(), {
    circle: { name: 'circle', self: '[circular]' },
    trap: { bad: '[unreadable]' },
    big: '10',
    bytes: '[9 bytes]',
    at: '1970-01-01T00:00:00.000Z',
  });
});

test('for a terminal it is one readable line that cannot steer the terminal', () => {
  const { log, lines } = logOf({ pretty: true });
  log.warn({ channel: 'telegram', note: 'two words', err: new Error('a\nb\u001b[2Jc') }, 'poll\u001b[31m failed');
  assert.equal(lines.length, 1);
  const line = lines[0] ?? '';
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.ok(!line.includes('\u001b[2J') && !line.includes('\u001b[31m failed'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: takes the colours off
  const plain = line.replace(/\u001b\[\d+m/g, '');
  assert.match(plain, /^\d\d:\d\d:\d\d warn {2}poll \[31m failed channel=telegram note="two words" a b \[2Jc\n$/);
});
