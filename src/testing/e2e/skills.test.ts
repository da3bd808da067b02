import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { AssistantEntry } from '../../config/schema/assistant.ts';
import { text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

const SUMS = `---
name: sums
description: Adds up what people send.
allowed-tools: [calculator]
---

Always answer with the sum alone.
`;

async function play(
  t: TestContext,
  custom: Readonly<Record<string, string>> = { sums: SUMS },
  more: Partial<AssistantEntry> = {},
) {
  const stage = await setStage(t);
  const plain = configOf(stage);
  const { lead } = plain.assistants;
  assert.ok(lead !== undefined);
  const config = { ...plain, assistants: { lead: { ...lead, ...more } } };
  for (const [name, manifest] of Object.entries(custom)) {
    mkdirSync(join(config.skills.custom_dir, name), { recursive: true });
    writeFileSync(join(config.skills.custom_dir, name, 'SKILL.md'), manifest);
  }
  const antler = await playAntler(t, stage, config);
  const request = (index: number): string => JSON.stringify(stage.model.requests.at(index)?.body);
  return { ...stage, config, antler, request };
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

test('file tools read what belongs to the skills of the assistant, and nothing of others', async (t) => {
  const { ask, model, request } = await play(t, { sums: SUMS }, { skills: ['slides'] });
  model.script(
    tools(
      ['read_file', { file: '/mnt/skills/slides/template.html', limit: 5 }],
      ['read_file', { file: '/mnt/skills/sums/SKILL.md' }],
      ['write_file', { path: '/mnt/skills/slides/new.md', content: 'x' }],
    ),
    text('Read.'),
  );
  await ask('Read them', /^Read\.$/);
  assert.match(request(1), /slides\/template\.html, lines 1 to 5/);
  assert.doesNotMatch(request(1), /Adds up what people send/);
  assert.match(request(1), /read-only/);
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

test('a soul that an assistant proposes counts once the owner has approved it, until that is undone', async (t) => {
  const { ask, model, request, antler } = await play(t, {}, { proposals: true });
  const soul = 'You are a pirate.';
  model.script(tools(['propose_soul_change', { soul, reason: 'Ann likes pirates.' }]), text('I have asked.'));
  await ask('Be a pirate from now on', /^I have asked\.$/);
  model.handle(() => text('Hello.'));
  await ask('Hi', /Hello/);
  assert.doesNotMatch(request(-1), /<soul>\\nYou are a pirate/);

  const api = async (path: string, method = 'POST') => {
    const response = await fetch(new URL(`/api/v1/operations/proposals${path}`, antler.url ?? ''), {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const { proposals } = (await api('', 'GET')).body as { proposals: { id: string; status: string }[] };
  assert.deepEqual(
    proposals.map(({ status }) => status),
    ['open'],
  );
  const id = proposals[0]?.id ?? '';
  assert.deepEqual(((await api(`/${id}`, 'GET')).body as { diff: string[] }).diff.at(-1), `+${soul}`);
  assert.equal((await api('/nothing/approve')).status, 404);
  assert.equal((await api(`/${id}/approve`)).status, 200);
  await ask('Hi again', /Hello/);
  assert.match(request(-1), /<soul>\\nYou are a pirate\.\\n<\/soul>/);
  assert.equal((await api(`/${id}/approve`)).status, 409);
  assert.equal((await api(`/${id}/undo`)).status, 200);
  await ask('And now', /Hello/);
  assert.doesNotMatch(request(-1), /<soul>\\nYou are a pirate/);
});

test('an assistant that may not propose has no tool for it', async (t) => {
  const { ask, model, request } = await play(t);
  model.handle(() => text('Hello.'));
  await ask('Hi', /Hello/);
  assert.doesNotMatch(request(0), /propose_/);
});
