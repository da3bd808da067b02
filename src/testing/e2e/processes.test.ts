import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadKey } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { type Step, text, tools } from '../../simulator/model/index.ts';
import { openStore } from '../../store/index.ts';
import { childrenOf, isConnectedTo, startProcess } from './process.ts';
import { setStage } from './stage.ts';

/** The number in the last message of a request, as `question 7` has one. */
const numberIn = (body: unknown): string => /question (\d+)(?!.*question)/s.exec(JSON.stringify(body))?.[1] ?? '?';

/** Shown in two stands, so that the first one is known to have been sent, and then silence. */
const halfAnswer: Step = {
  parts: [{ kind: 'text', text: 'Half of' }, { kind: 'text', text: ' the answer', delayMs: 1_500 }, { kind: 'hang' }],
};

test('a worker that is killed in a run: the turn is taken over and answered once', async (t) => {
  const stage = await setStage(t, 'servers');
  await startProcess(t, stage, 'gateway');
  const first = await startProcess(t, stage, 'worker');
  stage.model.script(halfAnswer, text('The whole answer.'));
  stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
  await stage.telegram.waitFor(stage.dm, ({ history }) => history.length > 1, 15_000);
  await startProcess(t, stage, 'worker');
  await first.kill('SIGKILL');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'The whole answer.', 20_000);
  assert.deepEqual(stage.said(stage.dm), ['The whole answer.'], 'what was shown of it was finished in place');
});

test('a worker that is killed in its second tool: another one goes on behind the first, which has run once', async (t) => {
  const stage = await setStage(t, 'servers');
  await startProcess(t, stage, 'gateway');
  const first = await startProcess(t, stage, 'worker');
  stage.model.script(
    tools(['send_file', { name: 'report.md', content: '# Report' }]),
    tools(['task', { description: 'Read it', prompt: 'Read the report.' }]),
    { parts: [{ kind: 'hang' }] }, // the sub-agent: the second tool never ends
    text('Here is the report.'),
  );
  stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
  await stage.model.waitForRequests(3, 20_000);
  await startProcess(t, stage, 'worker');
  await first.kill('SIGKILL');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'Here is the report.', 20_000);
  await stage.telegram.waitFor(stage.dm, ({ media }) => media !== undefined, 10_000);

  assert.equal(stage.model.requests.length, 4);
  const seen = JSON.stringify(stage.model.requests[3]?.body);
  assert.match(seen, /report\.md \(8 bytes\) goes to the person/, 'what the first tool gave is there');
  const { DATABASE_URL: url = '' } = stage.env;
  const store = await openStore({ url, log: silentLogger });
  t.after(() => store.close());
  const { id } = await store.threads.open(threadKey({ channel: 'telegram', chat: String(stage.dm.id) }));
  assert.deepEqual(
    (await store.files.list(id)).map(({ name }) => name),
    ['report.md'],
    'the first tool ran once',
  );
});

test('a supervised worker that is killed: another one has its turn within half a second', async (t) => {
  const stage = await setStage(t, 'servers');
  await startProcess(t, stage, 'gateway');
  const crew = await startProcess(t, stage, 'worker', {}, ['--processes', '2']);
  stage.model.script(halfAnswer, text('The whole answer.'));
  stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
  await stage.telegram.waitFor(stage.dm, ({ history }) => history.length > 1, 20_000);
  // Both workers but not their supervisor: whichever has the turn is dead then, and a new one takes it.
  const [one, other] = childrenOf(crew.child.pid);
  assert.ok(one !== undefined && other !== undefined);
  const holder = [one, other].find((pid) => isConnectedTo(pid, stage.model.url));
  assert.ok(holder !== undefined, 'one of them waits for the model');
  process.kill(holder, 'SIGKILL');
  const killedAt = performance.timeOrigin + performance.now();
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'The whole answer.', 20_000);
  const again = stage.model.requests[1]?.at ?? Number.NaN;
  t.diagnostic(`taken over after ${Math.round(again - killedAt)} ms`);
  assert.deepEqual(stage.said(stage.dm), ['The whole answer.']);
});

test('the laptop edition is killed in a run: after the next start the turn is answered once', async (t) => {
  const stage = await setStage(t);
  const first = await startProcess(t, stage, 'start');
  stage.model.script(halfAnswer, text('The whole answer.'));
  stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
  await stage.telegram.waitFor(stage.dm, ({ history }) => history.length > 1, 15_000);
  await first.kill('SIGKILL');
  await startProcess(t, stage, 'start');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'The whole answer.', 20_000);
  assert.deepEqual(stage.said(stage.dm), ['The whole answer.']);
});

test('the laptop edition is killed while an answer is on its way: after the next start the person is told', async (t) => {
  const stage = await setStage(t);
  const first = await startProcess(t, stage, 'start');
  stage.model.script(text('The answer.'));
  stage.telegram.faults.plan('sendMessage', { kind: 'hang' });
  stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
  await stage.telegram.calls.waitFor('sendMessage', 1);
  await first.kill('SIGKILL');
  await startProcess(t, stage, 'start');
  await stage.telegram.waitFor(stage.dm, ({ content }) => /I cannot tell whether/.test(content.text), 15_000);
  stage.telegram.people.say(stage.ann, stage.dm, '/again');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'The answer.', 15_000);
});

test('two gateways: one listens, the other takes over when it dies, nothing is lost or said twice', async (t) => {
  const stage = await setStage(t, 'servers');
  stage.model.handle((request) => text(`answer ${numberIn(request.messages)}`));
  const first = await startProcess(t, stage, 'gateway');
  await startProcess(t, stage, 'gateway');
  await startProcess(t, stage, 'worker');
  await stage.ask('question 1', /^answer 1$/);
  await first.kill('SIGKILL');
  stage.telegram.people.say(stage.ann, stage.dm, 'question 2');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'answer 2', 30_000);
  assert.deepEqual(stage.said(stage.dm), ['answer 1', 'answer 2']);
});

test('every process is killed in the middle of a task: after the next start it goes on, with the one card it had', async (t) => {
  const stage = await setStage(t, 'servers');
  const { telegram, model, ann, bot } = stage;
  const group = telegram.addGroup({ title: 'Team', members: [ann, stage.bo, bot] });
  const crew = [await startProcess(t, stage, 'gateway'), await startProcess(t, stage, 'worker')];
  model.script({ parts: [{ kind: 'hang' }] }, text('All of it is done.'));
  telegram.people.say(ann, group, '/task Dig deep');
  await telegram.waitFor(group, ({ content }) => /Dig deep[\s\S]*at work/.test(content.text), 20_000);
  for (const one of crew) await one.kill('SIGKILL');
  await Promise.all([startProcess(t, stage, 'gateway'), startProcess(t, stage, 'worker')]);
  await telegram.waitFor(group, ({ content }) => /^@Ann\s+All of it is done\.$/.test(content.text), 30_000);
  await telegram.waitFor(group, ({ content }) => /✅ Dig deep\s+done/.test(content.text), 10_000);
  assert.equal(stage.said(group).filter((said) => said.includes('Dig deep')).length, 1, 'there is one card');
  assert.equal(stage.said(group).length, 2, 'and one result');
});

test('SIGTERM lets the answer that is being given end', async (t) => {
  const stage = await setStage(t);
  const antler = await startProcess(t, stage, 'start');
  const pieces = Array.from({ length: 20 }, (_, i) => ({ kind: 'text' as const, text: `word${i} `, delayMs: 100 }));
  stage.model.script({ parts: pieces });
  stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text.includes('word2'), 15_000);
  await antler.kill('SIGTERM');
  assert.match(stage.said(stage.dm).join('\n'), /word19$/);
});
