import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import fc from 'fast-check';
import { AntlerError } from '../../src/base/errors.ts';
import { startRig } from './testing/rig.ts';

const SECRET = 'a-secret';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(webhookUrl?: string) {
  const config = {
    transport: 'webhook' as const,
    webhook_secret: SECRET,
    ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
  };
  const made = await startRig({ config });
  closers.push(made.stop);
  const post = async (
    body: BodyInit,
    headers: Record<string, string> = { 'x-telegram-bot-api-secret-token': SECRET },
  ) => {
    const request = new Request('http://x/webhooks/telegram', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    return (await made.adapter.webhook?.(request))?.status;
  };
  return { ...made, post };
}

const update = (id: number, text: string): string =>
  JSON.stringify({
    update_id: id,
    message: {
      ...{ message_id: id, date: 1_700_000_000, text, chat: { id: 7, type: 'private', first_name: 'Ann' } },
      from: { id: 7, is_bot: false, first_name: 'Ann' },
    },
  });

test('without the right secret a request is refused unread', async () => {
  const { post, inbox } = await rig();
  let read = false;
  const pull = (controller: ReadableStreamDefaultController): void => {
    read = true;
    controller.close();
  };
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  assert.equal(await post(body, {}), 401);
  assert.equal(read, false);
  assert.equal(await post(update(1, 'x'), { 'x-telegram-bot-api-secret-token': 'A-secret' }), 401);
  assert.equal(await post(update(1, 'x'), { 'x-telegram-bot-api-secret-token': '' }), 401);
  inbox.refuse = () => assert.fail('nothing may be taken in');
});

test('what is no update is refused, what is new to us is taken and ignored', async () => {
  const { post } = await rig();
  assert.equal(await post('{'), 400);
  assert.equal(await post(''), 400);
  assert.equal(await post('[]'), 400);
  assert.equal(await post(`{"update_id":1,"x":"${'x'.repeat(1024 * 1024)}"}`), 413);
  assert.equal(await post('{"update_id":1}'), 200);
  assert.equal(await post('{"update_id":2,"brand_new":{"chat":{"id":1}}}'), 200);
});

test('whatever is posted without the secret does nothing, and with it nothing can make it fail', async () => {
  const { post, inbox, telegram } = await rig();
  const secretless = fc.record({
    'x-telegram-bot-api-secret-token': fc.oneof(fc.stringMatching(/^[!-~]{0,20}$/), fc.constant(`${SECRET} ${SECRET}`)),
  });
  const headers = fc.oneof(fc.constant({}), secretless);
  const body = fc.oneof(fc.json(), fc.string(), fc.constant(update(1, 'x')));
  await fc.assert(
    fc.asyncProperty(body, headers, async (text, sent) => assert.equal(await post(text, sent), 401)),
    { numRuns: 100 },
  );
  assert.equal(inbox.waiting, 0);
  assert.equal(telegram.calls.list().length, 0);
  const field = fc.constantFrom('message', 'edited_message', 'callback_query', 'message_reaction', 'x');
  const parts = fc.dictionary(
    fc.constantFrom('chat', 'id', 'media_group_id', 'date', 'from', 'message'),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(field, fc.oneof(parts, fc.jsonValue()), async (kind, content) => {
      assert.equal(await post(JSON.stringify({ update_id: 1, [kind]: content })), 200);
    }),
    { numRuns: 100 },
  );
});

test('an update is acknowledged only once it is durable', async () => {
  const { post, inbox } = await rig();
  inbox.refuse = () => new AntlerError('unavailable', 'no database');
  assert.equal(await post(update(1, 'hello')), 503);
  inbox.refuse = () => false;
  assert.equal(await post(update(1, 'hello')), 200);
  assert.equal((await inbox.next()).text, 'hello');
});

test('a body that comes in pieces keeps its characters whole', async () => {
  const { post, inbox } = await rig();
  const bytes = new TextEncoder().encode(update(1, '你好世界'));
  const pieces = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal(await post(pieces), 200);
  assert.equal((await inbox.next()).text, '你好世界');
});

test('start registers the webhook, and Telegram delivers to it', async () => {
  let forward: ((request: Request) => Promise<Response>) | undefined;
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const response = await forward?.(
        new Request('http://x/', { method: 'POST', headers, body: Buffer.concat(chunks) }),
      );
      outgoing.writeHead(response?.status ?? 500).end(await response?.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { telegram, adapter, inbox, ann, direct } = await rig(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  );
  forward = async (request) => (await adapter.webhook?.(request)) ?? new Response(null, { status: 404 });
  await adapter.start();
  await telegram.calls.waitFor('setWebhook', 1);
  telegram.people.say(ann, direct, 'by webhook');
  assert.equal((await inbox.next()).text, 'by webhook');
});
