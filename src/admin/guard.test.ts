import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../base/clock.ts';
import { type OwnerGuard, type OwnerGuardOptions, ownerGuard } from './guard.ts';
import { ownerToken, renewOwnerToken } from './owner-token.ts';
import { createSessions, SESSION_DAYS } from './sessions.ts';
import { settingsForTests } from './testing/settings.ts';

const TOKEN = 'the-owner-token';
const json = { 'content-type': 'application/json' };

async function guardOf(
  t: TestContext,
  options: Partial<Pick<OwnerGuardOptions, 'host' | 'publicUrl'>> = {},
): Promise<OwnerGuard & { clock: { time: number } }> {
  const settings = await settingsForTests(t);
  const clock = { time: 1_800_000_000_000 };
  const still: Clock = { now: () => clock.time, sleep: async () => {} };
  const token = await ownerToken(settings, TOKEN);
  const guard = ownerGuard({ host: '127.0.0.1', publicUrl: undefined, ...options, token, settings, clock: still });
  return { ...guard, clock };
}

/** `GET /path` with a Host header and others. */
function request(line: string, headers: Record<string, string> = {}, body?: unknown): Request {
  const [method = 'GET', path = '/'] = line.split(' ');
  return new Request(`http://localhost:2026${path}`, {
    method,
    headers: { host: 'localhost:2026', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const statusOf = async (guard: OwnerGuard, asked: Request, address = '10.0.0.9'): Promise<number> =>
  (await guard.check(asked, address))?.status ?? 200;

test('on loopback this machine comes in, and no other web page does', async (t) => {
  const guard = await guardOf(t);
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const table: [what: string, line: string, headers: Record<string, string>, status: number][] = [
    ['the page', 'GET /', {}, 200],
    ['by number', 'GET /', { host: '127.0.0.1:2026' }, 200],
    ['by IPv6', 'GET /', { host: '[::1]:2026' }, 200],
    ['through a forwarded port', 'GET /', { host: 'localhost:8080' }, 200],
    [
      'our own script',
      'POST /api/v1/chat/messages',
      { ...json, origin: 'http://localhost:2026', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['a program without a browser', 'POST /api/v1/chat/messages', json, 200],
    ['our own event stream', 'GET /api/v1/chat/events', { 'sec-fetch-site': 'same-origin' }, 200],
    [
      'a typed address',
      'GET /',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      200,
    ],
    ['a link on another page', 'GET /', link, 200],

    ['DNS rebinding', 'GET /', { host: 'evil.example:2026' }, 421],
    [
      'DNS rebinding of the stream',
      'GET /api/v1/chat/events',
      { host: 'evil.example:2026', 'sec-fetch-site': 'same-origin' },
      421,
    ],
    [
      'DNS rebinding that posts',
      'POST /api/v1/chat/messages',
      { ...json, host: 'evil.example', origin: 'http://evil.example' },
      421,
    ],
    ['a host that only begins well', 'GET /', { host: 'localhost.evil.example' }, 421],
    ['a host that only ends well', 'GET /', { host: 'evil-localhost' }, 421],
    ['a number that only begins well', 'GET /', { host: '127.0.0.1.evil.example' }, 421],
    ['an empty host', 'GET /', { host: '' }, 421],
    ['a foreign origin', 'POST /api/v1/chat/messages', { ...json, origin: 'http://evil.example' }, 403],
    ['another port of this machine', 'POST /api/v1/chat/messages', { ...json, origin: 'http://localhost:3000' }, 403],
    ['a sandboxed frame', 'POST /api/v1/chat/messages', { ...json, origin: 'null' }, 403],
    [
      'a foreign script that reads',
      'GET /api/v1/chat/messages',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      403,
    ],
    ['a foreign event stream', 'GET /api/v1/chat/events', { origin: 'http://evil.example' }, 403],
    ['another site of the same domain', 'GET /api/v1/chat/events', { 'sec-fetch-site': 'same-site' }, 403],
    ['a foreign frame', 'GET /', { ...link, 'sec-fetch-dest': 'iframe' }, 403],
    ['a foreign form as navigation', 'POST /api/v1/chat/stop', { ...json, ...link }, 403],
    ['a foreign delete', 'DELETE /api/v1/setup/model', { origin: 'http://evil.example' }, 403],
    ['an old browser’s form', 'POST /api/v1/chat/stop', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form with a file', 'PUT /api/v1/chat/messages', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['a form as text', 'POST /api/v1/chat/messages', { 'content-type': 'text/plain' }, 415],
    ['a type that only looks like JSON', 'POST /api/v1/chat/messages', { 'content-type': 'application/jsonp' }, 415],
  ];
  for (const [what, line, headers, status] of table)
    assert.equal(await statusOf(guard, request(line, headers)), status, what);
});

test('a proxy in front of a loopback server makes it ask for the token', async (t) => {
  const guard = await guardOf(t);
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'])
    assert.equal(await statusOf(guard, request('GET /', { [header]: '203.0.113.7' })), 401, header);
  const published = await guardOf(t, { publicUrl: 'https://bot.example.com' });
  assert.equal(await statusOf(published, request('GET /', { host: 'bot.example.com' })), 401);
  assert.equal(await statusOf(published, request('GET /')), 401);
});

test('on any other address the owner’s token is needed', async (t) => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'bot.example.com']) {
    const guard = await guardOf(t, { host });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const table: [what: string, line: string, headers: Record<string, string>, status: number][] = [
      ['nothing', 'GET /api/v1/chat/messages', {}, 401],
      ['a wrong token', 'GET /api/v1/chat/messages', bearer('wrong'), 401],
      ['the hash of nothing', 'GET /api/v1/chat/messages', bearer(''), 401],
      ['a made-up session', 'GET /api/v1/chat/messages', { cookie: `antler_session=${'A'.repeat(43)}` }, 401],
      ['the token', 'GET /api/v1/chat/messages', bearer(TOKEN), 200],
      ['the token from a foreign page', 'POST /x', { ...json, ...bearer(TOKEN), origin: 'http://evil.example' }, 403],
      ['the page of the chat', 'GET /', {}, 401],
      ['a script of the chat', 'GET /web/main.js', {}, 401],
      ['the style of the login', 'GET /assets/theme.css', {}, 200],
      ['a way out of the assets', 'GET /assets/../guard.ts', {}, 401],
      ['no asset', 'GET /assets/login.html', {}, 404],
    ];
    for (const [what, line, headers, status] of table)
      assert.equal(await statusOf(guard, request(line, { host: '192.168.1.5:2026', ...headers })), status, what);
  }
});

test('a visitor who is signed out sees the login in their language, the API says so in JSON', async (t) => {
  const guard = await guardOf(t, { host: '0.0.0.0' });
  const page = await guard.check(request('GET /', { accept: 'text/html,*/*', 'accept-language': 'zh-CN' }), 'a');
  const html = (await page?.text()) ?? '';
  assert.match(html, /<html lang="zh-CN">/);
  assert.match(html, /管理员令牌/);
  assert.doesNotMatch(html, /\{\{/);
  const api = await guard.check(request('GET /api/v1/setup'), 'a');
  assert.partialDeepStrictEqual(await api?.json(), { error: { code: 'unauthorized' } });
});

test('signing in sets a cookie that no script and no other site can use, until it is closed or old', async (t) => {
  const guard = await guardOf(t, { host: '0.0.0.0', publicUrl: 'https://bot.example.com' });
  const home = { host: 'bot.example.com', origin: 'https://bot.example.com' };
  const signIn = async () => {
    const answer = await guard.check(
      request('POST /api/v1/session', { ...json, ...home }, { token: ` ${TOKEN}\n` }),
      'a',
    );
    assert.equal(answer?.status, 200);
    const cookie = answer.headers.get('set-cookie') ?? '';
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/']) assert.ok(cookie.includes(part), part);
    return cookie.split(';')[0] ?? '';
  };
  const inside = (cookie: string) => statusOf(guard, request('GET /api/v1/setup', { ...home, cookie }));
  const cookie = await signIn();
  const other = await signIn();
  assert.equal(await inside(`theme=dark; ${cookie}`), 200);
  assert.equal((await guard.check(request('DELETE /api/v1/session', { ...home, cookie }), 'a'))?.status, 200);
  assert.equal(await inside(cookie), 401);
  assert.equal(await inside(other), 200);
  guard.clock.time += SESSION_DAYS * 86_400_000 + 1;
  assert.equal(await inside(other), 401);
});

test('on plain http the cookie goes without Secure, or browsers would drop it', async (t) => {
  const guard = await guardOf(t, { host: '0.0.0.0' });
  const answer = await guard.check(request('POST /api/v1/session', json, { token: TOKEN }), 'a');
  assert.doesNotMatch(answer?.headers.get('set-cookie') ?? '', /Secure/);
});

test('whoever guesses tokens has to wait, and others do not', async (t) => {
  const guard = await guardOf(t, { host: '0.0.0.0' });
  const guess = (token: string, address: string) =>
    guard.check(request('POST /api/v1/session', json, { token }), address);
  for (let n = 0; n < 10; n++) assert.equal((await guess(`wrong-${n}`, 'guesser'))?.status, 401);
  const refused = await guess(TOKEN, 'guesser');
  assert.equal(refused?.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const bearer = request('GET /api/v1/setup', { authorization: `Bearer ${TOKEN}` });
  assert.equal(await statusOf(guard, bearer, 'guesser'), 429);
  assert.equal((await guess(TOKEN, 'owner'))?.status, 200);
  guard.clock.time += 600_001;
  assert.equal((await guess(TOKEN, 'guesser'))?.status, 200);
});

test('many addresses together are slowed down too', async (t) => {
  const guard = await guardOf(t, { host: '0.0.0.0' });
  for (let n = 0; n < 200; n++)
    await guard.check(request('POST /api/v1/session', json, { token: 'wrong' }), `address-${n % 50}`);
  assert.equal((await guard.check(request('POST /api/v1/session', json, { token: TOKEN }), 'one more'))?.status, 429);
});

test('bad sign-ins are refused in words', async (t) => {
  const guard = await guardOf(t, { host: '0.0.0.0' });
  for (const body of [{}, { token: 5 }, 'x', null, { token: 'x'.repeat(5_000) }]) {
    const answer = await guard.check(request('POST /api/v1/session', json, body), 'a');
    assert.ok([400, 413].includes(answer?.status ?? 0), JSON.stringify(body).slice(0, 40));
  }
  assert.equal((await guard.check(request('PUT /api/v1/session', json, {}), 'a'))?.status, 405);
  const state = await guard.check(request('GET /api/v1/session'), 'a');
  assert.deepEqual(await state?.json(), { needs_login: true, signed_in: false });
});

test('a guard that cannot look into the database lets nobody pass', async (t) => {
  const settings = await settingsForTests(t);
  const token = await ownerToken(settings, TOKEN);
  const guard = ownerGuard({
    host: '0.0.0.0',
    publicUrl: undefined,
    token,
    settings: { ...settings, get: () => Promise.reject(new Error('database away')) },
  });
  const cookie = `antler_session=${'A'.repeat(43)}`;
  assert.equal(await statusOf(guard, request('GET /api/v1/setup', { cookie })), 503);
});

test('the token is made once, shown once, and kept as a hash', async (t) => {
  const settings = await settingsForTests(t);
  const first = await ownerToken(settings);
  assert.ok(first.origin.kind === 'fresh');
  const { token } = first.origin;
  assert.match(token, /^antler_[\w-]{43}$/);
  const later = await ownerToken(settings);
  assert.deepEqual(later.origin, { kind: 'stored' });
  assert.deepEqual([await later.matches(token), await later.matches(`${token}x`)], [true, false]);
  assert.ok(!JSON.stringify(await settings.get('owner_token')).includes(token));
  const configured = await ownerToken(settings, TOKEN);
  assert.deepEqual([await configured.matches(TOKEN), await configured.matches(token)], [true, false]);
});

test('a lost token is replaced while Antler runs: the old one and its sessions end', async (t) => {
  const settings = await settingsForTests(t);
  let now = 1_000_000;
  const clock = { ...systemClock, now: () => now };
  const running = await ownerToken(settings, undefined, clock);
  assert.ok(running.origin.kind === 'fresh');
  const session = await createSessions(settings, clock).open();
  const renewed = await renewOwnerToken(settings);
  now += 5_000;
  assert.deepEqual([await running.matches(running.origin.token), await running.matches(renewed)], [false, true]);
  assert.equal(await createSessions(settings, clock).valid(session), false);
});
