import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import fc from 'fast-check';
import { AntlerError } from '../../src/base/errors.ts';
import { signature } from '../../src/simulator/slack/index.ts';
import { command, inDm, press } from './fixtures/events.ts';
import { startRig } from './testing/rig.ts';
import { serveWebhook } from './testing/serve-webhook.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Headers = Record<string, string>;

async function rig(config: object = {}) {
  const made = await startRig({ config: { transport: 'http', app_token: undefined, ...config } });
  closers.push(made.stop);
  const { adapter, app } = made;
  const headersFor = (body: string | Uint8Array, { at = Date.now(), secret = app.signingSecret } = {}): Headers => {
    const timestamp = String(Math.floor(at / 1_000));
    return {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature(secret, timestamp, body),
    };
  };
  const post = async (body: string, headers: Headers = headersFor(body), bytes: BodyInit = body): Promise<Response> => {
    const init = { method: 'POST', body: bytes, headers, duplex: 'half' } as RequestInit;
    return (await adapter.webhook?.(new Request('http://x/webhooks/slack', init))) ?? assert.fail('no webhook');
  };
  const postForm = (fields: Record<string, string>, contentType = 'application/x-www-form-urlencoded') => {
    const body = new URLSearchParams(fields).toString();
    return post(body, { ...headersFor(body), 'content-type': contentType });
  };
  return { ...made, headersFor, post, postForm };
}

const event = (text: string, fields: object = {}): string => JSON.stringify(inDm({ text, ...fields }).body);

test('what Slack has not signed, or not now, is refused, and nothing happens', async () => {
  const { post, headersFor, inbox, adapter } = await rig();
  inbox.refuse = () => assert.fail('nothing may be taken in');
  const body = event('x');
  const good = headersFor(body);
  const { 'x-slack-signature': signed = '', 'x-slack-request-timestamp': stamp = '', ...bare } = good;
  const other = signed.endsWith('0') ? '1' : '0';
  const bad: Record<string, Headers> = {
    'no headers': bare,
    'no signature': { ...bare, 'x-slack-request-timestamp': stamp },
    'no time': { ...bare, 'x-slack-signature': signed },
    'an empty signature': { ...good, 'x-slack-signature': '' },
    'a bare version': { ...good, 'x-slack-signature': 'v0=' },
    'another signature': { ...good, 'x-slack-signature': signed.slice(0, -1) + other },
    'a truncated signature': { ...good, 'x-slack-signature': signed.slice(0, -2) },
    'two signatures': { ...good, 'x-slack-signature': `${signed}, ${signed}` },
    'another version': { ...good, 'x-slack-signature': signed.replace('v0', 'v1') },
    'another secret': headersFor(body, { secret: 'another' }),
    'another body': headersFor(`${body} `),
    'another time': { ...good, 'x-slack-request-timestamp': String(Number(stamp) - 1) },
    'six minutes ago': headersFor(body, { at: Date.now() - 360_000 }),
    'in an hour': headersFor(body, { at: Date.now() + 3_600_000 }),
    'no number for a time': { ...good, 'x-slack-request-timestamp': 'NaN' },
    'milliseconds for a time': { ...good, 'x-slack-request-timestamp': `${stamp}000` },
  };
  for (const [name, headers] of Object.entries(bad)) assert.equal((await post(body, headers)).status, 401, name);
  assert.equal((await post(body.slice(0, -1), good)).status, 401);
  const challenge = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
  const refused = await post(challenge, bare);
  assert.deepEqual([refused.status, (await refused.text()).includes('abc')], [401, false]);
  assert.equal((await post('ssl_check=1', { 'content-type': 'application/x-www-form-urlencoded' })).status, 401);
  const get = await adapter.webhook?.(new Request('http://x/webhooks/slack'));
  assert.equal(get?.status, 401);
});

test('the check of the certificate, which Slack does not sign, needs the verification token and does nothing', async () => {
  const token = 'verification-token';
  const { post, adapter, inbox } = await rig({ verification_token: token });
  inbox.refuse = () => assert.fail('nothing may be taken in');
  const get = async (query: string): Promise<number | undefined> =>
    (await adapter.webhook?.(new Request(`http://x/webhooks/slack?${query}`)))?.status;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const postForm = async (fields: Record<string, string>): Promise<number> =>
    (await post(new URLSearchParams(fields).toString(), form)).status;
  const payload = JSON.stringify(press().body);
  assert.equal(await get(`ssl_check=1&token=${token}`), 200);
  assert.equal(await postForm({ ssl_check: '1', token }), 200);
  assert.equal(await postForm({ ssl_check: '1', token, payload: '{}' }), 200);
  assert.equal(await get('ssl_check=1&token=another'), 401);
  const refused: Record<string, string>[] = [
    { ssl_check: '1' },
    { ssl_check: '1', token: 'another' },
    { ssl_check: '1', token: '' },
    { ssl_check: '0', token },
    { token, payload },
    { ssl_check: '1', token, payload: payload.repeat(2) },
  ];
  for (const fields of refused) {
    assert.equal(await postForm(fields), 401);
  }
  assert.equal(
    (await post(JSON.stringify({ ssl_check: '1', token }), { 'content-type': 'application/json' })).status,
    401,
  );
});

test('what cannot be understood is not delivered again; what could not be stored is', async () => {
  const { post, inbox } = await rig();
  assert.equal((await post('{')).headers.get('x-slack-no-retry'), '1');
  inbox.refuse = () => new AntlerError('unavailable', 'no database', { retryable: true });
  const response = await post(event('hello'));
  assert.deepEqual([response.status, response.headers.get('x-slack-no-retry')], [503, null]);
});

test('without a signing secret nobody is listened to', async () => {
  const made = await startRig({ config: { signing_secret: undefined } });
  closers.push(made.stop);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature('', timestamp, 'x') };
  const response = await made.adapter.webhook?.(new Request('http://x/', { method: 'POST', body: 'x', headers }));
  assert.equal(response?.status, 401);
});

test('an unsigned body is not even read', async () => {
  const { post } = await rig();
  let read = false;
  const pull = (controller: ReadableStreamDefaultController): void => {
    read = true;
    controller.close();
  };
  assert.equal((await post('', {}, new ReadableStream({ pull }, { highWaterMark: 0 }))).status, 401);
  assert.equal(read, false);
});

test('nothing unsigned is ever answered with anything but a refusal', async () => {
  const { post, inbox } = await rig();
  inbox.refuse = () => assert.fail('nothing may be taken in');
  const header = fc.string({ maxLength: 80 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?'));
  const hex = fc.stringMatching(/^v0=[0-9a-f]{64}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.json(), fc.string(), fc.constant(event('x'))),
      fc.oneof(header, hex),
      fc.oneof(header, fc.constant(String(Math.floor(Date.now() / 1_000)))),
      async (body, signed, time) => {
        const response = await post(body, { 'x-slack-signature': signed, 'x-slack-request-timestamp': time });
        assert.equal(response.status, 401);
      },
    ),
    { numRuns: 150 },
  );
});

test('the challenge of a signed request is repeated', async () => {
  const { post } = await rig();
  const response = await post(JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 'x' }));
  assert.deepEqual([response.status, await response.json()], [200, { challenge: 'abc' }]);
});

test('an event is acknowledged only once it is durable', async () => {
  const { post, inbox } = await rig();
  inbox.refuse = () => new AntlerError('unavailable', 'no database', { retryable: true });
  assert.equal((await post(event('hello'))).status, 503);
  inbox.refuse = () => false;
  const response = await post(event('hello'));
  assert.deepEqual([response.status, await response.text()], [200, '']);
  assert.equal((await inbox.next()).text, 'hello');
});

test('an event that is delivered again, even while the first is being stored, is taken in once', async () => {
  const { post, headersFor, inbox } = await rig();
  const body = event('once');
  const retry = (number: number): Headers => ({
    ...headersFor(body),
    'x-slack-retry-num': String(number),
    'x-slack-retry-reason': 'http_timeout',
  });
  const answers = await Promise.all([post(body), post(body, retry(1)), post(body, retry(2)), post(body, retry(3))]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.deepEqual([(await inbox.next()).text, inbox.waiting], ['once', 0]);
});

test('the bytes that were signed count, however they are written and cut', async () => {
  const { post, headersFor, inbox } = await rig();
  const escaped = JSON.stringify(inDm({ text: '你好' }).body, null, 2).replaceAll('你好', '\\u4f60\\u597d');
  assert.equal((await post(escaped)).status, 200);
  assert.equal((await inbox.next()).text, '你好');
  const body = event('你好世界', { ts: '1764500001.000100' });
  const pieces = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of new TextEncoder().encode(body)) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal((await post(body, headersFor(body), pieces)).status, 200);
  assert.equal((await inbox.next()).text, '你好世界');
});

test('what is signed and no event is refused; what is new to us is taken and ignored', async () => {
  const { post, postForm } = await rig();
  for (const body of ['{', '', '[]', '5', 'null']) assert.equal((await post(body)).status, 400, body);
  assert.equal((await post(`{"x":"${'x'.repeat(5 * 1024 * 1024)}"}`)).status, 401, 'too large to be checked');
  assert.equal((await post('{}')).status, 200);
  assert.equal((await post(JSON.stringify({ type: 'app_rate_limited', minute_rate_limited: 1 }))).status, 200);
  assert.equal((await post(JSON.stringify({ type: 'event_callback', event: { type: 'brand_new' } }))).status, 200);
  assert.equal((await postForm({ payload: 'not JSON' })).status, 400);
  assert.equal((await postForm({ x: 'y' })).status, 400);
});

test('interactions and commands come as forms, with or without a charset', async () => {
  const { postForm, inbox } = await rig();
  const payload = JSON.stringify(press().body);
  assert.equal((await postForm({ payload })).status, 200);
  assert.deepEqual([(await inbox.next()).kind, inbox.waiting], ['action', 0]);
  const fields = command('stop').body as Record<string, string>;
  assert.equal((await postForm(fields, 'application/x-www-form-urlencoded; charset=utf-8')).status, 200);
  assert.equal((await inbox.next()).text, '/stop');
  const asks = await postForm({ payload: JSON.stringify({ type: 'block_suggestion', value: 'x' }) });
  assert.deepEqual(await asks.json(), { options: [] });
  for (const type of ['view_closed', 'view_submission', 'shortcut', 'workflow_step_edit']) {
    const closed = await postForm({ payload: JSON.stringify({ type, view: {} }) });
    assert.deepEqual([closed.status, await closed.text()], [200, ''], type);
  }
  const smuggled = await postForm({ ssl_check: '1', payload });
  assert.deepEqual([smuggled.status, inbox.waiting], [200, 0]);
});

test('a button that is clicked twice in a moment was pressed once; pressed later, again', async () => {
  const { postForm, inbox } = await rig();
  const click = (ts: string) => {
    const action = { action_id: 'antler-0', type: 'button', value: 'yes', action_ts: ts };
    return postForm({ payload: JSON.stringify(press({ actions: [action] }).body) });
  };
  for (const ts of ['1764500000.100000', '1764500000.300000', '1764500009.000000']) {
    assert.equal((await click(ts)).status, 200);
  }
  assert.deepEqual(
    [(await inbox.next()).sentAt, (await inbox.next()).sentAt, inbox.waiting],
    [1_764_500_000_100, 1_764_500_009_000, 0],
  );
});

test('Slack proves the address, delivers to it, and again when it was not stored', async () => {
  const { slack, app, adapter, inbox, ann, dm, channel, statuses } = await rig();
  const served = await serveWebhook((request) => adapter.webhook?.(request));
  closers.push(served.stop);
  await adapter.start();
  assert.equal(await slack.setRequestUrl(app, served.url), true);
  assert.equal(statuses.at(-1)?.state, 'connected');
  let refusals = 2;
  inbox.refuse = () => refusals-- > 0 && new AntlerError('unavailable', 'down', { retryable: true });
  slack.people.say(ann, dm, 'by HTTP');
  assert.equal((await inbox.next()).text, 'by HTTP');
  const told = await slack.people.command(app, ann, channel, '/antler status');
  assert.equal(told.kind, 'acknowledged');
  assert.equal((await inbox.next()).text, '/status');
  assert.deepEqual(
    app.link.records[0]?.attempts.map(({ kind }) => kind),
    ['failed', 'failed', 'acknowledged'],
  );
});
