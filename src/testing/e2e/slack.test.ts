import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { type Channel, type Message, shownText, signature } from '../../simulator/slack/index.ts';
import { setStage } from './slack-stage.ts';

for (const transport of ['socket', 'http'] as const) {
  test(`${transport}: the bot answers, in a channel only who calls it and in a thread, where people go on`, async (t) => {
    const { slack, model, ask, answer, said, channel, ann, bo } = await setStage(t, transport);
    model.handle((request) => text(`answer to ${/question (\d)/.exec(String(request.messages.at(-1)?.content))?.[1]}`));
    await ask('question 1', /^answer to 1$/);
    slack.people.say(bo, channel, 'who wants lunch?');
    const root = slack.people.say(ann, channel, '@antler question 2');
    const first = await answer(root, /^answer to 2$/);
    assert.equal(first.threadTs, root.ts);
    const second = await answer(slack.people.say(bo, channel, 'question 3', { thread: root }), /^answer to 3$/);
    assert.equal(second.threadTs, root.ts);
    assert.match(JSON.stringify(model.requests.at(-1)?.body), /question 2/);
    assert.deepEqual(said(channel), ['answer to 2', 'answer to 3']);
  });
}

test('a long answer streams, in a direct message and in a thread, and ends complete in one message', async (t) => {
  const { slack, model, ask, answer, said, dm, channel, ann } = await setStage(t);
  const pieces = Array.from({ length: 30 }, (_, i) => ({ kind: 'text' as const, text: `word${i} `, delayMs: 100 }));
  model.handle(() => ({ parts: pieces }));
  const whole = pieces
    .map((piece) => piece.text)
    .join('')
    .trim();
  const root = slack.people.say(ann, channel, '@antler tell me a lot');
  const [direct, inThread] = await Promise.all([ask('Tell me a lot', /word29/), answer(root, /word29/)]);
  assert.ok(direct.history.length >= 2, `it was shown in ${direct.history.length} stands`);
  assert.ok(inThread.history.length >= 2, `it was streamed in ${inThread.history.length} stands`);
  await slack.waitFor(channel, ({ stream }) => stream?.state === 'completed');
  assert.deepEqual([said(dm), said(channel).map((shown) => shown.trim())], [[whole], [whole]]);
  assert.deepEqual(
    slack.calls.list().filter(({ error }) => error !== undefined),
    [],
    'Slack refused nothing, not even for being called too often',
  );
});

test('what Slack delivers twice is answered once', async (t) => {
  const { slack, app, model, ask, answer, said, dm, channel, ann } = await setStage(t);
  model.handle(() => text('once'));
  await ask('hello', /once/);
  await app.link.redeliver(1);
  await answer(slack.people.say(ann, channel, '@antler hello'), /once/);
  await app.link.redeliver(2);
  model.handle(() => text('second'));
  await ask('next', /second/);
  assert.deepEqual([said(dm), said(channel)], [['once', 'second'], ['once']]);
});

test('a forged or replayed webhook is refused and does nothing', async (t) => {
  const { app, model, webhook, ask, said, dm, ann, slack } = await setStage(t, 'http');
  model.handle(() => text('hello'));
  const event = { type: 'message', channel: dm.id, channel_type: 'im', user: ann.id, text: 'forged', ts: '1.000001' };
  const body = JSON.stringify({ type: 'event_callback', team_id: slack.team.id, event });
  const post = async (secret: string, at: number): Promise<number> => {
    const timestamp = String(Math.floor(at / 1_000));
    const headers = {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature(secret, timestamp, body),
    };
    return (await fetch(webhook, { method: 'POST', headers, body })).status;
  };
  assert.equal(await post('another secret', Date.now()), 401);
  assert.equal(await post(app.signingSecret, Date.now() - 600_000), 401);
  assert.equal((await fetch(webhook, { method: 'POST', body })).status, 401);
  await ask('hi', /hello/);
  assert.deepEqual([said(dm), model.requests.length], [['hello'], 1]);
});

test('slash commands, edits and deletions do what people mean by them', async (t) => {
  const { slack, app, model, ask, answer, said, ann, dm } = await setStage(t);
  model.handle((request) => text(`I know ${request.messages.filter(({ role }) => role === 'user').length}`));
  await ask('one', /^I know 1$/);
  await ask('two', /^I know 2$/);
  const before = slack.visible(dm).at(-1) ?? assert.fail();
  await slack.people.command(app, ann, dm, '/antler new');
  await answer(before, /new conversation/i);
  await ask('three', /^I know 1$/);
  model.script({ parts: [{ kind: 'text', text: 'A long story begins' }, { kind: 'hang' }] });
  const question = slack.people.say(ann, dm, 'tell me a story');
  await answer(question, /A long story begins/);
  slack.people.delete(question);
  model.handle(() => text('fresh'));
  await ask('next', /^fresh$/);
  assert.equal(said(dm).at(-1), 'fresh');
});

test('Slack being slow, busy or broken delays an answer and loses none', async (t) => {
  const { slack, app, model, ask, said, dm } = await setStage(t);
  model.handle((request) => text(`answer to ${String(request.messages.at(-1)?.content).slice(-1)}`));
  slack.faults.plan('chat.postMessage', { kind: 'limit', retryAfter: 1 });
  await ask('question 1', /answer to 1/);
  slack.faults.plan('chat.postMessage', { kind: 'raw', status: 502, body: '<html>Bad Gateway</html>' });
  await ask('question 2', /answer to 2/);
  slack.faults.plan('chat.postMessage', { kind: 'drop', processed: true });
  await ask('question 3', /answer to 3/);
  slack.faults.plan('chat.postMessage', { kind: 'refuse', error: 'invalid_blocks' });
  await ask('question 4', /answer to 4/);
  app.socket.drop();
  await ask('question 5', /answer to 5/);
  assert.deepEqual(said(dm), ['answer to 1', 'answer to 2', 'answer to 3', 'answer to 4', 'answer to 5']);
});

test('files come in and go out, in a direct message and in a thread', async (t) => {
  const { slack, model, answer, ann, dm, channel } = await setStage(t);
  const seen = (name: string): boolean => JSON.stringify(model.requests.at(-1)?.body).includes(name);
  const share = (name: string, where: Channel, words: string): Message => {
    const bytes = new TextEncoder().encode('fruit,price\n梨,5\n');
    return slack.people.say(ann, where, words, {
      files: [slack.addFile({ name, mimetype: 'text/csv', bytes, by: ann })],
    });
  };
  model.script(tools(['read_file', { file: 'fruit.csv' }]), text('pears cost 5'));
  await answer(share('fruit.csv', dm, 'what do pears cost?'), /pears cost 5/);
  assert.ok(seen('fruit.csv') && seen('梨,5'), 'the model has read the file');
  model.script(tools(['send_file', { name: 'list.csv', content: 'a,b' }]), text('Here **it** is'));
  const root = share('plan.csv', channel, '@antler make me a list');
  await answer(root, /Here \*+it\*+ is/);
  const sent = await slack.waitFor(channel, ({ files }) => files.some(({ name }) => name === 'list.csv'));
  assert.equal(sent.threadTs, root.ts);
  assert.equal(new TextDecoder().decode(sent.files[0]?.bytes), 'a,b');
});

test('an answer calls those by name who are in the thread, and never everybody', async (t) => {
  const { slack, model, answer, ann, bo, channel } = await setStage(t);
  model.handle(() => text('@Ann, @channel and <!here>: @小波 knows'));
  const root = slack.people.say(ann, channel, '@antler who knows?');
  await answer(root, /knows/);
  const second = await answer(slack.people.say(bo, channel, 'do I?', { thread: root }), /knows/);
  await slack.waitFor(channel, ({ ts, stream }) => ts === second.ts && stream?.state !== 'in_progress');
  const shown = shownText(second);
  assert.ok(shown.includes(`<@${ann.id}>`) && shown.includes(`<@${bo.id}>`), shown);
  assert.doesNotMatch(shown, /<!|@channel|@here/);
});
