import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../log.ts';
import type { Skill } from '../skills/port.ts';
import { readSkills, SKILLS } from '../skills/state.ts';
import { shelfOf, someSkill } from '../skills/testing/skills.ts';
import { written } from '../skills/tools.ts';
import { draftWith, type FakeRun, fakeRun } from '../testing/fake-run.ts';
import { userSays } from '../testing/run.ts';
import { skillActivation } from './skill-activation.ts';

const report = someSkill('report', { body: 'Write <b>the</b> report.' });
const slides = someSkill('slides');

/** A run of this turn; `history`: what the log held before. */
function runOf(text: string, history: readonly LogEntry[] = []): FakeRun {
  const run = fakeRun();
  const input = [userSays(text)];
  const { assistant } = run.request;
  const log = run.log as LogEntry[];
  log.splice(0, log.length, ...history, ...input);
  return Object.assign(run, {
    turnStart: history.length,
    request: { ...run.request, input, assistant: { ...assistant, skills: ['all'] } },
  });
}

async function contextOf(run: FakeRun, skills: readonly Skill[] = [report, slides]) {
  const middleware = skillActivation.create({ skills: shelfOf(...skills) });
  await middleware.beforeRun?.(run);
  const draft = await middleware.beforeModel?.(run, draftWith({ context: '<context/>' }));
  assert.ok(draft !== undefined);
  return { draft, middleware };
}

test('the model is told which skills there are, and no more than that', async () => {
  const { draft } = await contextOf(runOf('Hi'));
  assert.match(draft.system, /<skill_list>\n- report: [^\n]+\n- slides: [^\n]+\n<\/skill_list>/);
  assert.equal(draft.context, '<context/>');
});

test('a skill that a person calls for stands with every request of the turn', async () => {
  const run = runOf('/report last week');
  const { draft, middleware } = await contextOf(run);
  assert.match(draft.context, /<active_skill name="report" by="called for by the person">\nSkill report/);
  const again = await middleware.beforeModel?.(run, draftWith());
  assert.match(again?.context ?? '', /Write <b>the<\/b> report\./);
  assert.deepEqual(run.log.filter(({ kind }) => kind === 'state').length, 1);
});

test('a skill is called for while the turn runs, too, and takes the place of the one before', async () => {
  const run = runOf('/report last week');
  const { middleware } = await contextOf(run);
  run.record(userSays('/slides instead'));
  const draft = await middleware.beforeModel?.(run, draftWith());
  assert.match(draft?.context ?? '', /name="slides"/);
  assert.doesNotMatch(draft?.context ?? '', /<active_skill name="report"/);
});

test('the next turn is told what was in use, and goes on with it only when the last one had asked', async () => {
  const first = runOf('/report');
  const { middleware } = await contextOf(first);
  const next = await contextOf(runOf('Thanks', first.log));
  assert.doesNotMatch(next.draft.context, /<active_skill/);
  assert.match(next.draft.context, /this conversation has used: report\. Load one again/);
  await middleware.afterRun?.(first, { status: 'asked', text: 'Which week?' });
  const answered = await contextOf(runOf('The last one', first.log));
  assert.match(answered.draft.context, /<active_skill name="report"/);
});

test('a skill that the model has loaded is shown again once its text was summed up', async () => {
  const run = runOf('Do it');
  run.keep(SKILLS, { turn: 'm-Do it', active: [{ name: 'report', by: 'model' }], asked: false, used: ['report'] });
  run.record({ kind: 'tool', id: 't1', at: 0, callId: 'c', name: 'load_skill', status: 'ok', text: written(report) });
  assert.doesNotMatch((await contextOf(run)).draft.context, /<active_skill/);
  run.record({ kind: 'summary', id: 's1', at: 0, covers: 't1', text: 'It was loaded.' });
  assert.match((await contextOf(run)).draft.context, /<active_skill name="report" by="loaded by you">/);
});

test('an unknown skill is told with those that there are', async () => {
  const run = runOf('/skill nothing');
  await contextOf(run);
  assert.match(run.notes.join(), /there is no skill "nothing"; there are: report, slides/);
});

test('words that look like a skill of another assistant are chat', async () => {
  const run = runOf('/report');
  const narrow = { ...run, request: { ...run.request, assistant: { ...run.request.assistant, skills: ['slides'] } } };
  const { draft } = await contextOf(narrow);
  assert.deepEqual(readSkills(run.state(SKILLS)).active, []);
  assert.doesNotMatch(draft.system, /report/);
});

test('a turn that is run again does not call for its skill twice', async () => {
  const first = runOf('/report');
  await contextOf(first);
  const again = runOf('/report', []);
  (again.log as LogEntry[]).push(...first.log.slice(1));
  await contextOf(again);
  assert.equal(again.log.filter(({ kind }) => kind === 'state').length, 1);
});
