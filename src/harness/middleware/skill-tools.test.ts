import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Skill } from '../skills/port.ts';
import { SKILLS } from '../skills/state.ts';
import { shelfOf, someSkill } from '../skills/testing/skills.ts';
import { draftWith, fakeRun } from '../testing/fake-run.ts';
import { defineTool } from '../tools/port.ts';
import { skillTools } from './skill-tools.ts';

const tool = (name: string) =>
  defineTool({ name, description: name, input: z.object({}), trust: 'local', run: () => 'ok' });
const TOOLS = ['load_skill', 'ask_clarification', 'read_file', 'shell', 'task', 'github_issues'].map(tool);

async function played(active: readonly string[], skills: readonly Skill[], secrets: Record<string, string> = {}) {
  const run = fakeRun();
  const request = { ...run.request, assistant: { ...run.request.assistant, skills: ['all'] } };
  const mine = Object.assign(run, { request });
  if (active.length > 0) {
    const entries = active.map((name) => ({ name, by: 'model' as const }));
    run.keep(SKILLS, { turn: 'm-Hi', active: entries, asked: false, used: [] });
  }
  const middleware = skillTools.create({ skills: shelfOf(...skills), skillSecrets: secrets });
  const draft = await middleware.beforeModel?.(mine, draftWith({ tools: TOOLS }));
  return {
    run: mine,
    offered: draft?.tools.map(({ name }) => name),
    call: (name: string) =>
      middleware.wrapTool?.(mine, { id: 'c', name, arguments: '{}' }, async () => ({ status: 'ok', text: 'done' })),
  };
}

const reading = someSkill('reading', { allowedTools: ['read_file'] });
const issues = someSkill('issues', { allowedTools: ['github_*', 'read_file', 'task'] });
const free = someSkill('free');

test('only what the skill in use allows is offered and run', async () => {
  const { offered, call } = await played(['reading'], [reading]);
  assert.deepEqual(offered, ['load_skill', 'ask_clarification', 'read_file']);
  assert.equal((await call('read_file'))?.status, 'ok');
  const refused = await call('shell');
  assert.equal(refused?.status, 'error');
  assert.match(refused?.text ?? '', /the skill in use \(reading\) does not allow shell/);
});

test('a skill that says nothing restricts nothing, and neither does one that is not in use', async () => {
  assert.equal((await played(['free'], [free, reading])).offered?.length, TOOLS.length);
  assert.equal((await played([], [reading])).offered?.length, TOOLS.length);
});

test('loading a second skill never gets around the first', async () => {
  const { offered } = await played(['issues', 'free', 'reading'], [issues, reading, free]);
  assert.deepEqual(offered, ['load_skill', 'ask_clarification', 'read_file']);
});

test('no sub-agent is started while a skill restricts, for none of it would bind that', async () => {
  const { offered, call } = await played(['issues'], [issues]);
  assert.ok(!offered?.includes('task'));
  assert.ok(offered?.includes('github_issues'));
  assert.equal((await call('task'))?.status, 'error');
});

test('a skill that is gone leaves nothing but what is always allowed', async () => {
  assert.deepEqual((await played(['gone'], [])).offered, ['load_skill', 'ask_clarification']);
});

test('commands get the secrets of skills in use alone', async () => {
  const weather = someSkill('weather', { secrets: ['WEATHER_KEY', 'UNSET'] });
  const secrets = { WEATHER_KEY: 's3cret-value', OTHER_KEY: 'other-value' };
  const used = await played(['weather'], [weather], secrets);
  await used.call('shell');
  assert.deepEqual(used.run.commandEnv, { WEATHER_KEY: 's3cret-value' });
  const unused = await played([], [weather], secrets);
  await unused.call('read_file');
  assert.deepEqual(unused.run.commandEnv, {});
});
