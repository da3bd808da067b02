import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keysOf } from '../../src/simulator/wecom/callbacks.ts';
import { claim, encrypted } from '../../src/simulator/wecom/crypto.ts';
import { startRig } from './testing/rig.ts';

const SAID = {
  callback: '{"msgid":"1","msgtype":"text","from":{"userid":"ann"},"text":{"content":"hi"}}',
  app: '<xml><FromUserName>ann</FromUserName><MsgType>text</MsgType><MsgId>1</MsgId><Content>hi</Content></xml>',
} as const;

function posted(
  webhook: string,
  transport: keyof typeof SAID,
  message: string,
  query: Record<string, string>,
): Request {
  const body = transport === 'app' ? `<xml><Encrypt>${message}</Encrypt></xml>` : JSON.stringify({ encrypt: message });
  return new Request(`${webhook}?${new URLSearchParams(query)}`, { method: 'POST', body });
}

for (const transport of ['callback', 'app'] as const) {
  test(`${transport}: the address is registered by the plain text alone, within its second`, async (t) => {
    const { wecom, one, webhook } = await startRig(t, transport);
    await wecom.register(one, webhook); // throws unless it is exactly the text
  });

  test(`${transport}: a plus sign that a proxy has decoded does not cost the registration`, async (t) => {
    const { one, adapter, webhook } = await startRig(t, transport);
    const keys = keysOf(one);
    let echostr = '';
    while (!echostr.includes('+')) echostr = encrypted('plain', keys);
    const query = new URLSearchParams({ ...claim(echostr, keys, Date.now()), echostr })
      .toString()
      .replaceAll('%2B', '+');
    const response = await adapter.webhook?.(new Request(`${webhook}?${query}`));
    assert.deepEqual([response?.status, await response?.text()], [200, 'plain']);
  });

  test(`${transport}: whatever comes unsigned gets 401, and nothing happens`, async (t) => {
    const { adapter, webhook, inbox } = await startRig(t, transport);
    const parts = fc.record(
      {
        msg_signature: fc.string(),
        timestamp: fc.oneof(fc.string(), fc.constant(String(Math.floor(Date.now() / 1_000)))),
        nonce: fc.string(),
        echostr: fc.base64String(),
      },
      { requiredKeys: [] },
    );
    const bodies = fc.oneof(
      fc.string(),
      fc.json(),
      fc.base64String().map((text) => JSON.stringify({ encrypt: text })),
      fc.base64String().map((text) => `<xml><Encrypt>${text}</Encrypt></xml>`),
    );
    await fc.assert(
      fc.asyncProperty(parts, bodies, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), async (query, body, method) => {
        const address = new URL(webhook);
        address.search = new URLSearchParams(query as Record<string, string>).toString();
        const request = new Request(address, { method, ...(method === 'GET' ? {} : { body }) });
        assert.equal((await adapter.webhook?.(request))?.status, 401);
      }),
      { numRuns: 300 },
    );
    assert.equal(inbox.waiting, 0);
  });

  test(`${transport}: what is signed rightly but meant for another company gets 401, and nothing happens`, async (t) => {
    const { one, adapter, webhook, inbox } = await startRig(t, transport);
    const keys = keysOf(one);
    for (const receiver of ['ww_another_company', `${keys.receiver} `]) {
      const message = encrypted(SAID[transport], { ...keys, receiver });
      const query = claim(message, keys, Date.now());
      const look = new Request(`${webhook}?${new URLSearchParams({ ...query, echostr: message })}`);
      for (const request of [look, posted(webhook, transport, message, query)])
        assert.equal((await adapter.webhook?.(request))?.status, 401, receiver);
    }
    assert.equal(inbox.waiting, 0);
  });

  test(`${transport}: what is encrypted with another key is nonsense, which is refused and does no harm`, async (t) => {
    const { one, adapter, webhook, inbox } = await startRig(t, transport);
    const keys = keysOf(one);
    const message = encrypted(SAID[transport], { ...keys, aesKey: 'A'.repeat(43) });
    const request = posted(webhook, transport, message, claim(message, keys, Date.now()));
    assert.match(String((await adapter.webhook?.(request))?.status), /^40[01]$/);
    assert.equal(inbox.waiting, 0);
  });

  test(`${transport}: a body of megabytes is not read to its end`, async (t) => {
    const { adapter, webhook } = await startRig(t, transport);
    const now = String(Math.floor(Date.now() / 1_000));
    const query = new URLSearchParams({ msg_signature: 'x', timestamp: now, nonce: 'n' });
    let pulled = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const request = new Request(`${webhook}?${query}`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    assert.equal((await adapter.webhook?.(request))?.status, 401);
    assert.ok(pulled < 40, `${pulled} pieces were read`);
  });
}

test('app: XML that declares entities is refused, signed or not', async (t) => {
  const { one, adapter, webhook, inbox } = await startRig(t, 'app');
  const keys = keysOf(one);
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const inner = encrypted(
    `${bomb}<xml><FromUserName>ann</FromUserName><MsgType>text</MsgType><MsgId>1</MsgId><Content>&f;&b;</Content></xml>`,
    keys,
  );
  const post = (body: string) =>
    adapter.webhook?.(
      new Request(`${webhook}?${new URLSearchParams(claim(inner, keys, Date.now()))}`, { method: 'POST', body }),
    );
  assert.equal((await post(`<xml><Encrypt>${inner}</Encrypt></xml>`))?.status, 400);
  assert.equal((await post(`${bomb}<xml><Encrypt>${inner}</Encrypt></xml>`))?.status, 401);
  assert.equal(inbox.waiting, 0);
});

test('callback: what is signed but no message of any kind does no harm', async (t) => {
  const { one, adapter, webhook, inbox } = await startRig(t, 'callback');
  const keys = keysOf(one);
  for (const content of ['[]', 'null', '"text"', '{}', '{"msgtype":"stream"}', '{"msgid":"1"}', 'no JSON']) {
    const message = encrypted(content, keys);
    const query = new URLSearchParams(claim(message, keys, Date.now()));
    const request = new Request(`${webhook}?${query}`, { method: 'POST', body: JSON.stringify({ encrypt: message }) });
    const status = (await adapter.webhook?.(request))?.status ?? 0;
    assert.ok(status === 200 || status === 400, `${content} → ${status}`);
  }
  assert.equal(inbox.waiting, 0);
});
