import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeRun } from '../testing/fake-run.ts';
import { DEFAULT_ORDER } from './index.ts';
import { secretValues } from './secret-values.ts';

const skillSecrets = { WEATHER_KEY: 's3cret-value', OTHER_KEY: 'other-value', SHORT: 'abc', LONGER: 'other-value-2' };

async function resultOf(text: string): Promise<string | undefined> {
  const middleware = secretValues.create({ skillSecrets });
  const call = { id: 'c', name: 'shell', arguments: '{}' };
  return (await middleware.wrapTool?.(fakeRun(), call, async () => ({ status: 'error', text })))?.text;
}

test('no value of a secret comes back in a result or an error, whichever skill is in use', async () => {
  assert.equal(await resultOf('key=s3cret-value; other-value'), 'key=[secret WEATHER_KEY]; [secret OTHER_KEY]');
  assert.equal(await resultOf('other-value-2'), '[secret LONGER]');
  assert.equal(await resultOf('abc'), 'abc');
});

test('it stands where a result is whole: nothing was cut of it or put aside yet', () => {
  const names = DEFAULT_ORDER.map(({ name }) => name);
  assert.equal(names.indexOf('secret-values'), names.indexOf('tool-output') + 1);
});
