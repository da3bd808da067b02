import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSecrets } from './secrets.ts';
import { folderForTests } from './testing/settings.ts';

test('a secret comes back under its purpose and key only', async (t) => {
  const dataDir = folderForTests(t);
  const key = randomBytes(32).toString('base64');
  const secrets = createSecrets({ key, dataDir });
  const sealed = await secrets.seal('sk-密钥', 'model');
  assert.ok(!sealed.includes('sk-'));
  assert.notEqual(sealed, await secrets.seal('sk-密钥', 'model'));
  assert.equal(await secrets.open(sealed, 'model'), 'sk-密钥');
  const hex = Buffer.from(key, 'base64').toString('hex');
  assert.equal(await createSecrets({ key: hex, dataDir }).open(sealed, 'model'), 'sk-密钥');

  const fails = (text: string, purpose = 'model', from = secrets) =>
    assert.rejects(from.open(text, purpose), { code: 'config_invalid', message: /cannot be decrypted/ });
  await fails(sealed, 'other');
  await fails(`${sealed.slice(0, -2)}AA`);
  await fails(sealed.slice(0, 30));
  await fails('');
  await fails(sealed, 'model', createSecrets({ key: randomBytes(32).toString('base64'), dataDir }));
  assert.deepEqual(await readdir(dataDir), []);
});

test('the key file is made once, for its owner only, also when many start at once', async (t) => {
  const dataDir = join(folderForTests(t), 'data');
  const all = Array.from({ length: 8 }, () => createSecrets({ key: undefined, dataDir }));
  const sealed = await Promise.all(all.map((secrets, n) => secrets.seal(`text ${n}`, 'p')));
  const late = createSecrets({ key: undefined, dataDir });
  for (const [n, text] of sealed.entries()) assert.equal(await late.open(text, 'p'), `text ${n}`);
  assert.deepEqual(await readdir(dataDir), ['secret.key']);
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
});

test('a key of the wrong size is refused with the way to make one', async (t) => {
  const dataDir = folderForTests(t);
  for (const key of ['', 'short', randomBytes(16).toString('base64')])
    await assert.rejects(createSecrets({ key, dataDir }).seal('x', 'p'), {
      message: /ANTLER_SECRET_KEY.*openssl rand/,
    });
  writeFileSync(join(dataDir, 'secret.key'), 'broken');
  await assert.rejects(createSecrets({ key: undefined, dataDir }).seal('x', 'p'), { message: /secret\.key must hold/ });
});
