import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import fc from 'fast-check';
import { AntlerError } from '../../src/base/errors.ts';
import { cardAction, messageEvent } from './fixtures/events.ts';
import { startRig } from './testing/rig.ts';
import { decryptEvent } from './transport/event-crypto.ts';

const KEY = 'an-encrypt-key';
const TOKEN = 'a-verification-token';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(
  secrets: { encrypt_key?: string; verification_token?: string } = { encrypt_key: KEY, verification_token: TOKEN },
) {
  const made = await startRig({ config: { transport: 'webhook', ...secrets } });
  closers.push(made.stop);
  const post = async (body: BodyInit, headers: Record<string, string> = {}): Promise<[number, unknown]> => {
    const request = new Request('http://x/webhooks/feishu', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    const response = await made.adapter.webhook?.(request);
    return [response?.status ?? 0, await response?.json()];
  };
  return { ...made, post };
}

function encrypted(event: unknown, key = KEY): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), iv);
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  return JSON.stringify({ encrypt: Buffer.concat([iv, cipher.update(text), cipher.final()]).toString('base64') });
}

function signed(body: string | Uint8Array, { key = KEY, at = Date.now() } = {}): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHash('sha256').update(`${timestamp}nonce${key}`).update(body).digest('hex');
  return { 'x-lark-request-timestamp': timestamp, 'x-lark-request-nonce': 'nonce', 'x-lark-signature': signature };
}

const challenge = (token = TOKEN) => ({ challenge: 'ch-1', token, type: 'url_verification' });

test('the published example decrypts', () => {
  assert.equal(String(decryptEvent('P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk=', 'test key')), 'hello world');
});

test('the challenge is answered in the clear, for the right token only', async () => {
  const { post } = await rig();
  assert.deepEqual(await post(encrypted(challenge())), [200, { challenge: 'ch-1' }]);
  assert.equal((await post(encrypted(challenge('wrong'))))[0], 401);
  assert.equal((await post(encrypted(challenge(), 'another key')))[0] === 200, false);
  assert.equal((await post(JSON.stringify(challenge())))[0], 401);
  const plain = await rig({ verification_token: TOKEN });
  assert.deepEqual(await plain.post(JSON.stringify(challenge())), [200, { challenge: 'ch-1' }]);
  assert.equal((await plain.post(JSON.stringify(challenge('wrong'))))[0], 401);
});

test('an event that is signed over its very bytes is taken in', async () => {
  const { post, inbox } = await rig();
  const body = encrypted(messageEvent());
  assert.deepEqual(await post(body, signed(body)), [200, {}]);
  assert.equal((await inbox.next()).text, 'hello');
  const pretty = JSON.stringify(JSON.parse(body), null, 2);
  assert.equal((await post(pretty, signed(pretty)))[0], 200);
  assert.equal((await inbox.next()).text, 'hello');
});

test('what does not prove that it comes from Feishu is refused and does nothing', async () => {
  const { post, inbox } = await rig();
  inbox.refuse = () => assert.fail('nothing may be taken in');
  const body = encrypted(messageEvent());
  const changed = `${body} `;
  const stale = Date.now() - 86_400_000;
  const otherToken = encrypted(messageEvent()).replace('', '');
  const table: [string, string, Record<string, string>][] = [
    ['no signature', body, {}],
    ['a signature of another key', body, signed(body, { key: 'x' })],
    ['other bytes', changed, signed(body)],
    ['a day old', body, signed(body, { at: stale })],
    ['a day ahead', body, signed(body, { at: Date.now() + 86_400_000 })],
    ['no time', body, { ...signed(body), 'x-lark-request-timestamp': 'now' }],
    ['half a signature', body, { 'x-lark-signature': signed(body)['x-lark-signature'] ?? '' }],
    ['not encrypted', JSON.stringify(messageEvent()), signed(JSON.stringify(messageEvent()))],
    ['truncated', otherToken.slice(0, -20), signed(otherToken)],
  ];
  for (const [what, bytes, headers] of table) assert.equal((await post(bytes, headers))[0], 401, what);
  const foreign = encrypted(JSON.stringify(messageEvent()).replace(TOKEN, 'another token'));
  assert.equal((await post(foreign, signed(foreign)))[0], 401);
});

test('without an Encrypt Key, the token alone tells who speaks', async () => {
  const { post, inbox } = await rig({ verification_token: TOKEN });
  assert.equal((await post(JSON.stringify(messageEvent())))[0], 200);
  await inbox.next();
  assert.equal((await post(JSON.stringify(messageEvent()).replace(TOKEN, 'forged')))[0], 401);
  assert.equal((await post('{}'))[0], 401);
});

test('without any secret the channel does not start, and its webhook believes nobody', async () => {
  const { adapter, post } = await rig({});
  await assert.rejects(adapter.start(), { code: 'config_invalid' });
  assert.equal((await post(JSON.stringify(messageEvent())))[0], 401);
  assert.equal((await post(JSON.stringify(challenge())))[0], 401);
});

test('what is signed and cannot be read is refused, without a crash', async () => {
  const { post } = await rig();
  for (const body of [
    '{oops',
    '',
    '[]',
    JSON.stringify({ encrypt: 'AAAA' }),
    JSON.stringify({ encrypt: 7 }),
    encrypted('no json'),
  ]) {
    const [status] = await post(body, signed(body));
    assert.ok(status === 400 || status === 401, `${body}: ${status}`);
  }
});

test('who signs nothing does not learn whether a text decrypts', async () => {
  const { post } = await rig();
  for (const body of [
    encrypted(messageEvent()),
    encrypted('no json'),
    encrypted('x', 'another key'),
    '{"encrypt":"AAAA"}',
  ]) {
    assert.equal((await post(body))[0], 401);
  }
});

test('an event of the old schema and events of no interest are acknowledged', async () => {
  const { post } = await rig();
  const old = encrypted({ uuid: 'u', token: TOKEN, ts: '1', type: 'event_callback', event: { type: 'message' } });
  assert.equal((await post(old, signed(old)))[0], 200);
});

test('an event is acknowledged only once it is durable', async () => {
  const { post, inbox } = await rig();
  const body = encrypted(messageEvent());
  inbox.refuse = () => new AntlerError('unavailable', 'no database');
  assert.equal((await post(body, signed(body)))[0], 503);
  inbox.refuse = () => false;
  assert.equal((await post(body, signed(body)))[0], 200);
  assert.equal((await inbox.next()).id, 'om_1');
});

test('a body that comes in pieces keeps its characters whole', async () => {
  const { post, inbox } = await rig({ verification_token: TOKEN });
  const bytes = new TextEncoder().encode(JSON.stringify(messageEvent({ content: { text: '你好世界' } })));
  const pieces = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal((await post(pieces))[0], 200);
  assert.equal((await inbox.next()).text, '你好世界');
});

test('a press on a card comes in by the webhook too, and is answered with nothing to do', async () => {
  const { post, inbox } = await rig();
  const event = cardAction({ value: { antler: 'yes', kind: 'dm' } });
  const body = encrypted({ ...event, header: { ...(event as { header: object }).header, token: TOKEN } });
  assert.deepEqual(await post(body, signed(body)), [200, {}]);
  const { kind, text, addressed, quote } = await inbox.next();
  assert.deepEqual([kind, text, addressed, quote?.messageId], ['action', 'yes', 'dm', 'om_card']);
  assert.equal((await post(body))[0], 401);
  assert.equal(inbox.waiting, 0);
});

test('nothing unsigned is ever answered with 200', async () => {
  const { post, inbox } = await rig();
  inbox.refuse = () => assert.fail('nothing may be taken in');
  const headers = fc.dictionary(
    fc.constantFrom('x-lark-signature', 'x-lark-request-timestamp', 'x-lark-request-nonce', 'content-type'),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef') }),
  );
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => encrypted(value)),
  );
  await fc.assert(
    fc.asyncProperty(body, headers, async (bytes, sent) => {
      assert.notEqual((await post(bytes, sent))[0], 200);
    }),
    { numRuns: 200 },
  );
});

test('Feishu registers the address, delivers to it, and again when it was refused', async () => {
  const made = await startRig({
    config: { transport: 'webhook', encrypt_key: KEY, verification_token: TOKEN },
    feishu: { limits: { retryMs: [20, 20, 20, 20] } },
  });
  closers.push(made.stop);
  const { feishu, adapter, inbox, app, ann, direct } = made;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const request = new Request('http://x/', { method: 'POST', headers, body: Buffer.concat(chunks) });
      const response = await adapter.webhook?.(request);
      outgoing.writeHead(response?.status ?? 500).end(await response?.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await adapter.start();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await assert.rejects(feishu.setWebhook(app, { url, encryptKey: 'wrong', verificationToken: TOKEN }));
  await feishu.setWebhook(app, { url, encryptKey: KEY, verificationToken: TOKEN });
  let refusals = 2;
  inbox.refuse = () => refusals-- > 0 && new AntlerError('unavailable', 'no database');
  feishu.people.say(ann, direct, 'by webhook');
  assert.equal((await inbox.next()).text, 'by webhook');
});
