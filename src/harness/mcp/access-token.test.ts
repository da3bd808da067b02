import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { someModel, toolContext } from '../testing/fake-run.ts';
import { assistantWith, runContext } from '../testing/run.ts';
import { AccessToken } from './access-token.ts';
import type { McpOauth, TokenShelf } from './port.ts';
import { createMcpSource } from './source.ts';
import { startHttpToolServer } from './testing/http-server.ts';
import { startTokenServer, type TokenServer } from './testing/token-server.ts';

const client = { clientId: 'antler:1', clientSecret: 'client secret', clientAuth: 'basic' } as const;

function shelf(): TokenShelf & { kept: string | null } {
  const own = {
    kept: null as string | null,
    read: async () => own.kept,
    write: async (text: string) => {
      own.kept = text;
    },
  };
  return own;
}

const tokenOf = (server: TokenServer, more: Partial<McpOauth> & { now?: () => number; shelf?: TokenShelf } = {}) => {
  const { now = () => 0, shelf: kept = shelf(), ...oauth } = more;
  const options = { shelf: kept, clock: { now }, timeoutMs: 5_000 };
  return new AccessToken({ ...options, oauth: { ...client, tokenUrl: server.url, ...oauth } });
};

/** Answers with `t1`, `t2`, …, and refresh tokens that are good for once. */
function rotating(t: TestContext, seconds = 3_600): Promise<TokenServer> {
  let count = 0;
  let good = 'r0';
  return startTokenServer(t, ({ grant_type, refresh_token }) => {
    if (grant_type === 'refresh_token' && refresh_token !== good)
      return { status: 400, body: { error: 'invalid_grant', error_description: `${refresh_token} was used` } };
    good = `r${++count}`;
    return { body: { access_token: `t${count}`, expires_in: seconds, refresh_token: good } };
  });
}

test('a token is got by the client itself once, however many ask, and anew before it runs out', async (t) => {
  const server = await startTokenServer(t, () => ({ body: { access_token: 'a', expires_in: '100' } }));
  let now = 0;
  const token = tokenOf(server, { scope: 'tools', now: () => now });
  assert.deepEqual(await Promise.all([token.get(), token.get(), token.get()]), ['a', 'a', 'a']);
  assert.deepEqual(server.asked, [
    {
      form: { grant_type: 'client_credentials', scope: 'tools' },
      authorization: `Basic ${Buffer.from('antler%3A1:client+secret').toString('base64')}`,
    },
  ]);
  now = 69_000;
  await token.get();
  assert.equal(server.asked.length, 1);
  now = 71_000;
  await token.get();
  assert.equal(server.asked.length, 2);
});

test('the secret goes in the form where that is wanted', async (t) => {
  const server = await startTokenServer(t, () => ({ body: { access_token: 'a' } }));
  await tokenOf(server, { clientAuth: 'post' }).get();
  const form = { grant_type: 'client_credentials', client_id: 'antler:1', client_secret: 'client secret' };
  assert.deepEqual(server.asked, [{ form, authorization: undefined }]);
});

test('a refresh token that is good for once is kept over a restart', async (t) => {
  const server = await rotating(t);
  const kept = shelf();
  const first = tokenOf(server, { refreshToken: 'r0', shelf: kept });
  assert.equal(await first.get(), 't1');
  const second = tokenOf(server, { refreshToken: 'r0', shelf: kept });
  assert.equal(await second.get(), 't1', 'it is still good');
  second.refuse('t1');
  assert.equal(await second.get(), 't2');
  // The first process knows r1 only, which the second has used.
  first.refuse('t1');
  assert.equal(await first.get(), 't2');
  assert.deepEqual(
    server.asked.map(({ form }) => form.refresh_token),
    ['r0', 'r1', 'r1'],
  );
});

test('with other credentials what is kept is worth nothing', async (t) => {
  const server = await rotating(t);
  const kept = shelf();
  await tokenOf(server, { refreshToken: 'r0', shelf: kept }).get();
  await assert.rejects(tokenOf(server, { refreshToken: 'stolen', shelf: kept }).get(), {
    code: 'unavailable',
    message: 'the token endpoint answered 400 (invalid_grant)',
  });
});

test('an endpoint that answers oddly, sends elsewhere or is away is told without a secret', async (t) => {
  const odd = await startTokenServer(t, () => ({ body: { token: 'x' } }));
  await assert.rejects(tokenOf(odd).get(), { code: 'unavailable', message: /without a token/ });
  const angry = await startTokenServer(t, () => ({ status: 401, body: { error: 'client secret' } }));
  await assert.rejects(tokenOf(angry).get(), { message: 'the token endpoint answered 401' });
  await assert.rejects(tokenOf({ url: 'http://127.0.0.1:9/', asked: [] }).get(), { message: /does not answer/ });
});

test('a server is asked with the token, and with a new one when it takes the old one no more', async (t) => {
  const tokens = await rotating(t);
  const tools = await startHttpToolServer('t2'); // the first is refused
  t.after(() => tools.stop());
  const oauth = { ...client, tokenUrl: tokens.url, refreshToken: 'r0' };
  const server = { name: 'docs', transport: 'http', url: tools.url, headers: {}, oauth } as const;
  const times = { callTimeoutMs: 10_000, startTimeoutMs: 10_000 };
  const source = createMcpSource({ servers: [{ ...server, ...times }], clock: { now: Date.now }, log: silentLogger });
  t.after(() => source.close());
  const found = await source.tools(assistantWith(someModel, { mcpServers: ['all'] }), runContext);
  const add = found.find(({ name }) => name === 'docs_add');
  assert.equal(await add?.call({ a: 2, b: 3 }, toolContext(), AbortSignal.timeout(10_000)), '5');
  assert.deepEqual(tools.authorizations.slice(0, 2), ['Bearer t1', 'Bearer t2']);
  assert.equal(tokens.asked.length, 2);
});

test('a server without a token is failing, and its status says why', async (t) => {
  const tokens = await startTokenServer(t, () => ({ status: 400, body: { error: 'invalid_client' } }));
  const oauth = { ...client, tokenUrl: tokens.url };
  const url = 'http://127.0.0.1:9/mcp';
  const server = { name: 'docs', transport: 'http', url, headers: {}, oauth } as const;
  const times = { callTimeoutMs: 10_000, startTimeoutMs: 10_000 };
  const source = createMcpSource({ servers: [{ ...server, ...times }], clock: { now: Date.now }, log: silentLogger });
  t.after(() => source.close());
  assert.deepEqual(await source.check('docs'), {
    name: 'docs',
    state: 'failing',
    tools: 0,
    problem: 'MCP server docs: the token endpoint answered 400 (invalid_client)',
  });
  await assert.rejects(source.check('other'), { code: 'not_found' });
});
