import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

const SUMS = `---
name: sums
description: Adds up what people send.
allowed-tools: [calculator]
---

Always answer with the sum alone.
`;

async function play(t: TestContext, custom: Readonly<Record<string, string>> = { sums: SUMS }) {
  const stage = await setStage(t);
  const config = configOf(stage);
  for (const [name, manifest] of Object.entries(custom)) {
    mkdirSync(join(config.skills.custom_dir, name), { recursive: true });
    writeFileSync(join(config.skills.custom_dir, name, 'SKILL.md'), manifest);
  }
  await playAntler(t, stage, config);
  const request = (index: number): string => JSON.stringify(stage.model.requests.at(index)?.body);
  return { ...stage, config, request };
}

test('a skill that is called for stands with its turn, and a tool that it does not allow is not run', async (t) => {
  const { ask, model, request } = await play(t);
  model.script(
    tools(['list_files', {}]),
    tools(['calculator', { expression: '40+2' }]),
    text('42'),
    text('You are welcome.'),
  );
  await ask('/sums 40 and 2', /^42$/);
  assert.match(request(0), /- sums: Adds up what people send\./);
  assert.match(request(0), /<active_skill name=\\"sums\\"[^>]*>[^<]*Always answer with the sum alone/);
  assert.doesNotMatch(request(0), /"name":"list_files"/);
  assert.match(request(0), /"name":"calculator"/);
  assert.match(request(1), /the skill in use \(sums\) does not allow list_files/);
  assert.match(request(2), /Always answer with the sum alone.*42/);

  await ask('Thanks', /welcome/);
  assert.doesNotMatch(request(3), /<active_skill/);
  assert.match(request(3), /this conversation has used: sums/);
  assert.match(request(3), /"name":"list_files"/);
});

test('a skill that the model loads limits the rest of the turn', async (t) => {
  const { ask, model, request } = await play(t);
  model.script(
    tools(['load_skill', { name: 'sums' }]),
    tools(['list_files', {}]),
    tools(['load_skill', { name: 'report' }]),
    tools(['list_files', {}]),
    text('42'),
  );
  await ask('What is 40 and 2?', /^42$/);
  assert.match(request(1), /Skill sums\. Do as it says/);
  for (const index of [2, 4]) assert.match(request(index), /does not allow list_files/);
});

test('a skill that is put down while Antler runs is there for the next message', async (t) => {
  const { ask, model, request, config } = await play(t, {});
  model.handle(() => text('Hello.'));
  await ask('/sums 1 and 2', /Hello/);
  assert.doesNotMatch(request(-1), /active_skill name/);
  mkdirSync(join(config.skills.custom_dir, 'sums'), { recursive: true });
  writeFileSync(join(config.skills.custom_dir, 'sums/SKILL.md'), SUMS);
  const seen = async (): Promise<boolean> => {
    await ask('/sums 1 and 2', /Hello/);
    return /active_skill name/.test(request(-1));
  };
  const until = Date.now() + 8_000;
  while (!(await seen())) assert.ok(Date.now() < until, 'the new skill was not seen');
});
