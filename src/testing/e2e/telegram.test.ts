import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuse, text, tools } from '../../simulator/model/index.ts';
import { type Ground, playAntler, setStage } from './stage.ts';

const grounds: readonly Ground[] = ['embedded', 'servers'];

for (const ground of grounds) {
  test(`${ground}: the bot answers, and remembers the conversation`, async (t) => {
    const stage = await setStage(t, ground);
    await playAntler(t, stage);
    stage.model.script(text('Hello ', 'Ann!'), text('Your name is Ann.'));
    await stage.ask('Hi, I am Ann', /^Hello Ann!$/);
    await stage.ask('What is my name?', /^Your name is Ann\.$/);
    const seen = JSON.stringify(stage.model.requests[1]?.body);
    assert.match(seen, /Hi, I am Ann/);
    assert.match(seen, /Hello Ann!/);
    assert.deepEqual(stage.said(stage.dm), ['Hello Ann!', 'Your name is Ann.']);
  });

  test(`${ground}: a long answer streams by edits and ends complete, in one message`, async (t) => {
    const stage = await setStage(t, ground);
    await playAntler(t, stage);
    const pieces = Array.from({ length: 30 }, (_, i) => ({ kind: 'text' as const, text: `word${i} `, delayMs: 100 }));
    stage.model.script({ parts: pieces });
    const whole = pieces
      .map((piece) => piece.text)
      .join('')
      .trim();
    const answer = await stage.ask('Tell me a lot', /word29/);
    assert.equal(answer.content.text, whole);
    assert.ok(answer.history.length >= 3, `it was shown in ${answer.history.length} stands`);
    assert.deepEqual(stage.said(stage.dm), [whole]);
  });

  test(`${ground}: in a group only what is addressed to the bot is answered, as a reply`, async (t) => {
    const stage = await setStage(t, ground);
    const group = stage.telegram.addGroup({ title: 'Team', members: [stage.ann, stage.bo, stage.bot] });
    await playAntler(t, stage);
    stage.model.handle((request) =>
      text(`seen ${JSON.stringify(request.messages).includes('lunch') ? 'all' : 'mine'}`),
    );
    stage.telegram.people.say(stage.bo, group, 'who wants lunch?');
    const answer = await stage.ask('@antler_bot hello', /^seen/, stage.ann, group);
    assert.equal(answer.replyTo?.content.text, '@antler_bot hello');
    assert.deepEqual(stage.said(group), ['seen mine']);
  });

  test(`${ground}: tools are used on the way to an answer`, async (t) => {
    const stage = await setStage(t, ground);
    await playAntler(t, stage);
    stage.model.script(tools(['calculator', { expression: '6*7' }]), text('It is 42.'));
    await stage.ask('6*7?', /^It is 42\.$/);
    assert.match(JSON.stringify(stage.model.requests[1]?.body), /"role":"tool"[^}]*42/);
  });
}

test('a message that Telegram delivers twice is answered once', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle(() => text('once'));
  await stage.ask('hello', /once/);
  stage.bot.updates.redeliver();
  stage.model.handle(() => text('second'));
  await stage.ask('next', /second/);
  assert.deepEqual(stage.said(stage.dm), ['once', 'second']);
});

test('/new starts afresh, /help and /status answer, each in the language of the person', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle((request) => text(`I know ${request.messages.filter(({ role }) => role === 'user').length}`));
  await stage.ask('one', /^I know 1$/);
  await stage.ask('two', /^I know 2$/);
  await stage.ask('/new', /new conversation/i);
  await stage.ask('three', /^I know 1$/);
  await stage.ask('/help', /\/new/);
  await stage.ask('/status', /idle.*lead.*main/s);
  const chinese = stage.telegram.openPrivateChat(stage.bo, stage.bot);
  await stage.ask('/help', /新的对话/, stage.bo, chinese);
});

test('/stop ends the answer that is being given and keeps what was said of it', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.script({ parts: [{ kind: 'text', text: 'A long story begins' }, { kind: 'hang' }] });
  await stage.ask('Tell me a story', /A long story begins/);
  stage.telegram.people.say(stage.ann, stage.dm, '/stop');
  await stage.telegram.waitFor(stage.dm, ({ content }) => /^A long story begins\s+Stopped\.$/.test(content.text));
  await stage.ask('/stop', /not working/);
});

test('what goes wrong at the model is told in a sentence, without the words of the provider', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle(() => refuse(401, 'Incorrect API key provided: sk-test-0123456789'));
  await stage.ask('hello', /refused my key/);
  stage.model.handle(() => ({ parts: [{ kind: 'text', text: 'Half an ans' }, { kind: 'cut' }] }));
  await stage.ask('hello again', /Half an ans[\s\S]*broke off/);
  assert.doesNotMatch(stage.said(stage.dm).join('\n'), /sk-test|Incorrect/);
});

test('Telegram being slow, busy or broken delays an answer and loses none', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle((request) => text(`answer to ${String(request.messages.at(-1)?.content).slice(-1)}`));
  stage.telegram.faults.plan('sendmessage', {
    kind: 'refuse',
    code: 429,
    description: 'Too Many Requests: retry after 1',
    retryAfter: 1,
  });
  await stage.ask('question 1', /answer to 1/);
  stage.telegram.faults.plan('sendmessage', { kind: 'raw', status: 502, body: '<html>Bad Gateway</html>' });
  await stage.ask('question 2', /answer to 2/);
  stage.telegram.faults.plan('getupdates', { kind: 'raw', status: 200, body: 'not JSON' }, 2);
  await stage.ask('question 3', /answer to 3/);
  assert.deepEqual(stage.said(stage.dm), ['answer to 1', 'answer to 2', 'answer to 3']);
});

test('an answer whose sending was not confirmed is not said again, but the doubt is admitted', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle((request) => text(`answer to ${String(request.messages.at(-1)?.content).slice(-1)}`));
  stage.telegram.faults.plan('sendmessage', { kind: 'drop', processed: true });
  await stage.ask('question 1', /send \/again/);
  await stage.ask('question 2', /answer to 2/);
  const [first, doubt, second] = stage.said(stage.dm);
  assert.deepEqual([first, second], ['answer to 1', 'answer to 2']);
  assert.match(doubt ?? '', /cannot tell whether my last message reached you/);
});

test('an answer that got lost on the way to Telegram comes with /again', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle(() => text('the answer'));
  stage.telegram.faults.plan('sendmessage', { kind: 'drop', processed: false });
  await stage.ask('question', /send \/again/);
  await stage.ask('/again', /^the answer$/);
  assert.equal(stage.said(stage.dm).filter((said) => said === 'the answer').length, 1);
  await stage.ask('/again', /nothing that did not arrive/);
});

test('/new does not let half an answer to the former conversation appear in the new one', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.script({ parts: [{ kind: 'text', text: '1 2 3' }, { kind: 'hang' }] });
  stage.telegram.people.say(stage.ann, stage.dm, 'count');
  await stage.model.waitForRequests(1);
  await stage.ask('/new', /new conversation/i);
  stage.model.script(text('hello'));
  await stage.ask('hi', /^hello$/);
  assert.deepEqual(stage.said(stage.dm).slice(1), ['hello']);
});

test('formatting that Telegram refuses comes as plain text', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.handle(() => text('**bold** and plain'));
  stage.telegram.faults.plan('sendmessage', {
    kind: 'refuse',
    code: 400,
    description: "Bad Request: can't parse entities: unsupported start tag",
  });
  await stage.ask('hello', /bold.* and plain/);
});

test('an album in a group is answered once, with all its pictures, and the answer calls people by their names', async (t) => {
  const stage = await setStage(t);
  const { telegram, model, ann, bo, bot } = stage;
  const group = telegram.addGroup({ title: 'Team', members: [ann, bo, bot] });
  model.handle((request) => {
    const seen = JSON.stringify(request.messages).match(/image-AQAD\w+\.jpg/g) ?? [];
    return text(`@小波 sees ${new Set(seen).size} pictures`);
  });
  telegram.people.say(bo, group, '@antler_bot hi');
  await playAntler(t, stage);
  await telegram.waitFor(group, ({ content }) => content.text.includes('0 pictures'));
  bot.updates.hold();
  for (const caption of ['', '@antler_bot what is this?', ''])
    telegram.people.say(ann, group, caption, { media: telegram.media({ kind: 'photo', group: 'A' }) });
  bot.updates.release();
  const answer = await telegram.waitFor(group, ({ content }) => content.text.includes('3 pictures'));
  assert.deepEqual(stage.said(group), ['@小波 sees 0 pictures', '@小波 sees 3 pictures']);
  const [mention] = answer.content.entities;
  assert.deepEqual([mention?.type, mention?.user?.id], ['text_mention', bo.id]);
});
