import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { AntlerError } from '../../../src/base/errors.ts';
import { post } from './client.ts';
import { httpError, networkError, refusalIn } from './errors.ts';
import { sentShape, updatesShape } from './wire.ts';

test('what a body says: both fields count, and neither is none', () => {
  const table = [
    [{}, null],
    [{ ret: 0, errcode: 0, errmsg: 'ok' }, null],
    [{ errmsg: 'only words' }, null],
    [{ ret: -14 }, 'unauthorized'],
    [{ ret: 0, errcode: -14 }, 'unauthorized'],
    [{ ret: -1, errcode: -14 }, 'unauthorized'],
    [{ ret: -2 }, 'rate_limited'],
    [{ errcode: -2 }, 'rate_limited'],
    [{ ret: -1 }, 'unavailable'],
    [{ ret: 7, errmsg: 'odd' }, 'bad_input'],
  ] as const;
  for (const [body, code] of table) assert.equal(refusalIn(body)?.code ?? null, code, JSON.stringify(body));
  assert.ok((refusalIn({ ret: 7, errmsg: 'x'.repeat(9_999) })?.message.length ?? 0) < 300);
});

test('what HTTP says: a message may have been taken in only where nobody answered in time', () => {
  for (const [status, sending, asking] of [
    [401, 'unauthorized', 'unauthorized'],
    [403, 'unavailable', 'unavailable'],
    [404, 'unavailable', 'unavailable'],
    [413, 'too_large', 'too_large'],
    [429, 'rate_limited', 'rate_limited'],
    [500, 'unavailable', 'unavailable'],
    [502, 'unavailable', 'unavailable'],
    [504, 'uncertain', 'unavailable'],
    [524, 'uncertain', 'unavailable'],
    [302, 'bad_input', 'bad_input'],
  ] as const) {
    assert.equal(httpError(status, { idempotent: false }).code, sending, String(status));
    assert.equal(httpError(status, { idempotent: true }).code, asking, String(status));
  }
});

test('what the network says: unsent is surely not done, anything later may be', () => {
  const failure = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'])
    assert.equal(networkError(failure(code), { idempotent: false }).code, 'unavailable', code);
  for (const thrown of [failure('ECONNRESET'), failure('UND_ERR_SOCKET'), new Error('x'), 'text', null, undefined])
    assert.equal(networkError(thrown, { idempotent: false }).code, 'uncertain');
});

test('whatever a server answers, a call ends in what it asked for or in an error of ours', async (t) => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const server = createServer((_, response) => {
    response.writeHead(answer.status);
    response.end(answer.status === 204 || answer.status === 304 ? undefined : answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .record({
        ret: fc.jsonValue(),
        msgs: fc.jsonValue(),
        get_updates_buf: fc.jsonValue(),
        message_id: fc.jsonValue(),
      })
      .map((value) => JSON.stringify(value)),
  );
  const property = fc.asyncProperty(
    body,
    fc.constantFrom(200, 200, 200, 204, 301, 304, 400, 404, 500, 504),
    fc.boolean(),
    async (text, status, idempotent) => {
      answer = { status, body: text };
      const call = post(root, 'ilink/bot/x', {}, idempotent ? updatesShape : sentShape, { idempotent });
      const failure = await call.then(
        () => null,
        (error: unknown) => error,
      );
      assert.ok(failure === null || failure instanceof AntlerError);
      if (failure !== null && text.length > 20) assert.ok(!failure.message.includes(text));
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
