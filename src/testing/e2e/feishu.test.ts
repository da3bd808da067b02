import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { setStage } from './feishu-stage.ts';

for (const transport of ['websocket', 'webhook'] as const) {
  test(`${transport}: the bot answers, in a group only who calls it and as a reply`, async (t) => {
    const { feishu, model, ask, said, dm, group, ann, bo } = await setStage(t, transport);
    model.handle(() => text('Hello there!'));
    await ask('Hi', /^Hello there!$/);
    feishu.people.say(bo, group, 'who wants lunch?');
    const answer = await ask('@Antler and you?', /^Hello there!$/, ann, group);
    assert.equal(
      feishu.text(feishu.visible(group).find(({ id }) => id === answer.parentId) ?? answer),
      '@Antler and you?',
    );
    assert.deepEqual(said(dm), ['Hello there!']);
    assert.deepEqual(said(group), ['Hello there!']);
  });
}

test('a mention in a thread is answered in the thread', async (t) => {
  const { feishu, model, ask, group, ann, bo } = await setStage(t, 'websocket');
  model.handle(() => text('In here.'));
  const root = feishu.people.say(bo, group, 'plans?');
  const question = feishu.people.say(ann, group, '@Antler what do you think?', { replyTo: root, inThread: true });
  const answer = await feishu.waitFor(group, (message) => feishu.text(message) === 'In here.', 10_000);
  assert.equal(answer.threadId, question.threadId);
  assert.equal(answer.parentId, question.id);
  await ask('@Antler and outside?', /^In here\.$/, ann, group);
});

test('a long answer streams in one card, which ends complete and closed', async (t) => {
  const { model, ask, said, dm } = await setStage(t, 'websocket');
  const pieces = Array.from({ length: 30 }, (_, i) => ({ kind: 'text' as const, text: `word${i} `, delayMs: 100 }));
  model.script({ parts: pieces });
  const whole = pieces
    .map((piece) => piece.text)
    .join('')
    .trim();
  const answer = await ask('Tell me a lot', /word29/);
  assert.ok(answer.history.length >= 3, `it was shown in ${answer.history.length} stands`);
  assert.deepEqual(said(dm), [whole]);
  const deadline = Date.now() + 5_000;
  while (answer.card?.streamingSince !== undefined && Date.now() < deadline)
    await new Promise((r) => setTimeout(r, 20));
  assert.equal(answer.card?.streamingSince, undefined);
  assert.deepEqual(answer.reactions, []);
});

test('an event that Feishu delivers again is answered once', async (t) => {
  const { feishu, model, ask, said, dm } = await setStage(t, 'websocket');
  model.handle(() => text('once'));
  await ask('hello', /once/);
  const push = feishu.pushes.find(({ type }) => type === 'im.message.receive_v1');
  assert.ok(push !== undefined);
  feishu.redeliver(push);
  feishu.redeliver(push);
  model.handle(() => text('second'));
  await ask('next', /second/);
  assert.deepEqual(said(dm), ['once', 'second']);
});

test('an event that comes five times at once is answered once', async (t) => {
  const { feishu, model, ask, said, dm, ann } = await setStage(t, 'websocket');
  model.script(text('once'), text('second'));
  feishu.people.say(ann, dm, 'hello');
  const push = feishu.pushes.at(-1);
  assert.ok(push !== undefined);
  for (let copy = 0; copy < 4; copy++) feishu.redeliver(push);
  await ask('next', /second/);
  assert.deepEqual(said(dm), ['once', 'second']);
});

test('a button that somebody else presses is not the asked one’s answer', async (t) => {
  const { feishu, model, ask, group, ann, bo } = await setStage(t, 'websocket');
  const which = tools(['ask_clarification', { question: 'Which day?', options: ['Friday', 'Saturday'] }]);
  model.script(which, text('Let us hear Ann.'), text('Booked for Saturday.'));
  const question = await ask('@Antler book a table', /Which day/, ann, group);
  const says = (words: string) => feishu.waitFor(group, (message) => feishu.text(message) === words, 10_000);
  assert.equal((await feishu.people.press(bo, question, 'Friday')).kind, 'taken');
  await says('Let us hear Ann.');
  assert.equal((await feishu.people.press(ann, question, 'Saturday')).kind, 'taken');
  await says('Booked for Saturday.');
  const asked = model.requests.map(({ body }) => JSON.stringify(body));
  assert.match(asked[1] ?? '', /put to somebody else/);
  assert.match(asked[2] ?? '', /is: 2\. Saturday/);
});

test('who comes, goes and reacts is answered by nobody', async (t) => {
  const { feishu, model, ask, said, app, ann, bo, group } = await setStage(t, 'websocket');
  model.script(text('Here I am.'));
  feishu.people.removeBot(ann, group, app);
  feishu.people.addBot(ann, group, app);
  feishu.people.removePerson(ann, group, bo);
  feishu.people.addPerson(ann, group, bo);
  const talk = feishu.people.say(bo, group, 'welcome back');
  feishu.people.react(bo, talk, 'SMILE');
  feishu.people.unreact(bo, talk, 'SMILE');
  await ask('@Antler there?', /Here I am/, ann, group);
  assert.deepEqual([said(group), model.requests.length], [['Here I am.'], 1]);
});

test('a send whose answer was lost is repeated under its uuid and said once', async (t) => {
  const { feishu, model, ask, said, dm } = await setStage(t, 'websocket');
  model.handle(() => text('only once'));
  feishu.faults.plan('POST /im/v1/messages', { kind: 'drop', processed: true });
  await ask('hello', /only once/);
  await feishu.calls.waitFor('POST /im/v1/messages', 2, 15_000);
  assert.deepEqual(said(dm), ['only once']);
});

test('a forged webhook is refused and answered by nobody', async (t) => {
  const { feishu, model, webhook, said, dm } = await setStage(t, 'webhook');
  model.handle(() => text('never'));
  const forged = JSON.stringify({
    schema: '2.0',
    header: { event_id: 'e', event_type: 'im.message.receive_v1', token: 'x' },
  });
  const response = await fetch(webhook, { method: 'POST', body: forged });
  assert.equal(response.status, 401);
  assert.deepEqual(said(dm), []);
  assert.equal(feishu.calls.list('POST /im/v1/messages').length, 0);
});

test('a file that somebody sends is read, and one that the bot makes arrives', async (t) => {
  const { feishu, model, ask, app, ann, dm } = await setStage(t, 'websocket');
  const key = feishu.addFile({ kind: 'file', name: '周报.txt', bytes: Buffer.from('sales are up') });
  model.handle(() => text('Thank you.'));
  feishu.people.send(ann, dm, 'file', { file_key: key, file_name: '周报.txt' });
  await feishu.waitFor(dm, (message) => message.from === app && feishu.text(message) === 'Thank you.', 10_000);
  const steps = [
    tools(['read_file', { file: '周报.txt' }]),
    tools(['send_file', { name: 'summary.md', content: '# Up' }]),
    text('Here it is.'),
  ];
  const requests: string[] = [];
  model.handle((request) => {
    requests.push(JSON.stringify(request.messages));
    return steps.shift();
  });
  await ask('Summarise it', /^Here it is\.$/);
  assert.match(requests[1] ?? '', /sales are up/);
  const file = await feishu.waitFor(dm, ({ type, from }) => type === 'file' && from === app, 10_000);
  assert.deepEqual(
    [feishu.file(file)?.name, Buffer.from(feishu.file(file)?.bytes ?? []).toString()],
    ['summary.md', '# Up'],
  );
});
