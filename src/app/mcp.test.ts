import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSecrets, type Secrets } from '../admin/secrets.ts';
import { mcpServerSchema } from '../config/schema/mcp.ts';
import { mcpServersOf, tokenShelves } from './mcp.ts';

const secretsWith = (key: Buffer): Secrets => createSecrets({ key: key.toString('base64'), dataDir: '/nowhere' });
const url = 'https://crm.example/mcp';
const oauth = { token_url: 'https://login.example/token', client_id: 'antler' };

test('tokens of servers lie in the database encrypted, each for its own server', async () => {
  const rows = new Map<string, unknown>();
  const settings = {
    get: async (key: string) => rows.get(key) ?? null,
    set: async (key: string, value: unknown) => void rows.set(key, value),
  };
  const key = randomBytes(32);
  const shelves = tokenShelves(settings, secretsWith(key));
  assert.equal(await shelves('crm').read(), null);
  await shelves('crm').write('{"refreshToken":"r1"}');
  assert.equal(await shelves('crm').read(), '{"refreshToken":"r1"}');
  assert.doesNotMatch(JSON.stringify([...rows]), /r1/);
  rows.set('mcp-token/docs', rows.get('mcp-token/crm'));
  assert.equal(await shelves('docs').read(), null, 'moved to another server it is worth nothing');
  assert.equal(await tokenShelves(settings, secretsWith(randomBytes(32)))('crm').read(), null, 'by another key');
});

test('how a token is got stands in the configuration', () => {
  const entry = mcpServerSchema.parse({ url, oauth: { ...oauth, client_secret: 's', scope: 'tools' } });
  assert.partialDeepStrictEqual(mcpServersOf({ mcp_servers: { crm: entry } }), [
    {
      name: 'crm',
      transport: 'http',
      oauth: { tokenUrl: oauth.token_url, clientId: 'antler', clientAuth: 'basic', clientSecret: 's', scope: 'tools' },
    },
  ]);
});

for (const [what, entry, message] of [
  ['no secret at all', { url, oauth }, /client_secret, refresh_token or both/],
  ['a program', { command: 'x', oauth: { ...oauth, client_secret: 's' } }, /a program has no use for it/],
  ['two ways', { url, headers: { authorization: 'x' }, oauth: { ...oauth, client_secret: 's' } }, /either oauth or/],
] as const)
  test(`a token that cannot be got is a mistake of the configuration: ${what}`, () => {
    const read = mcpServerSchema.safeParse(entry);
    assert.match(read.error?.message ?? '', message);
  });
