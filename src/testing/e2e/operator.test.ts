import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../bus/contract/kit.ts';
import { runCommand, startProcess } from './process.ts';
import { type Ground, type Stage, setStage } from './stage.ts';

/** `antler <words> --json`, read. */
async function ask(stage: Stage, words: readonly string[]) {
  const { code, stdout, stderr } = await runCommand(stage, [...words, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const grounds: readonly (readonly [Ground, string])[] = [
  ['embedded', 'the data folder'],
  ['servers', 'Redis'],
];

for (const [ground, name] of grounds)
  test(`on ${name}: a channel waits while it is paused, with and without a running Antler`, async (t) => {
    const stage = await setStage(t, ground);
    assert.equal((await ask(stage, ['channels', 'pause', 'telegram'])).paused, true);
    const antler = await startProcess(t, stage, 'start');
    const here = ['--port', new URL(antler.url).port];
    const question = stage.telegram.people.say(stage.ann, stage.dm, '/whoami');
    await until('the answer waits', async () => (await ask(stage, ['channels', ...here])).bus.pending_deliveries === 1);
    const { channels } = await ask(stage, ['channels', ...here]);
    assert.deepEqual(channels.map(({ name, paused }: { name: string; paused: boolean }) => [name, paused]).sort(), [
      ['telegram', true],
      ['web', false],
    ]);
    assert.deepEqual(stage.said(stage.dm), []);
    assert.equal((await ask(stage, ['channels', 'resume', 'telegram', ...here])).paused, false);
    await stage.telegram.waitFor(stage.dm, ({ id, from }) => id > question.id && from.id === stage.bot.user.id);
    await antler.kill('SIGTERM');
    const after = await ask(stage, ['channels']);
    assert.ok(after.channels.every(({ paused }: { paused: boolean }) => !paused));
  });

test('an uncertain message is listed with what it says, and sent again only when that is asked for', async (t) => {
  const stage = await setStage(t);
  const antler = await startProcess(t, stage, 'start');
  const here = ['--port', new URL(antler.url).port];
  stage.telegram.faults.plan('sendMessage', { kind: 'drop', processed: true });
  stage.telegram.people.say(stage.ann, stage.dm, '/whoami');
  await until('it is held', async () => (await ask(stage, ['dead-letters', ...here])).total === 1);
  const { letters } = await ask(stage, ['dead-letters', ...here]);
  assert.deepEqual([letters[0].kind, letters[0].channel], ['uncertain', 'telegram']);
  // The person has the message and a note that it may be missing.
  await until('the doubt is told', () => stage.said(stage.dm).length === 2);
  const { stdout } = await runCommand(stage, ['doctor', ...here]);
  assert.match(stdout, /^warn {2}bus \(embedded\): in use by the running Antler; 1 could not be/m);

  const wrong = await runCommand(stage, ['dead-letters', 'replay', 'd_x', ...here]);
  assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
  assert.match(wrong.stderr, /^There is no dead letter "d_x"/);
  const right = await runCommand(stage, ['dead-letters', 'replay', letters[0].id, ...here]);
  assert.equal(right.code, 0, right.stderr);
  await until('it is sent again', () => stage.said(stage.dm).length === 3);
  assert.equal((await ask(stage, ['dead-letters', ...here])).total, 0);
});

test('a bus that an Antler at another address holds is said with the way out', async (t) => {
  const stage = await setStage(t);
  await startProcess(t, stage, 'start');
  const { code, stderr } = await runCommand(stage, ['channels']);
  assert.equal(code, 1);
  assert.match(stderr, /--port/);
});
