import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { shownText } from '../../src/simulator/slack/index.ts';
import { type RigOptions, startRig, threadBelow } from './testing/rig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(options?: RigOptions) {
  const made = await startRig(options);
  closers.push(made.stop);
  return made;
}

test('by Socket Mode, what people say comes in, and answers go out', async () => {
  const { slack, adapter, inbox, ann, bob, dm, channel, app, statuses, target } = await rig();
  await adapter.start();
  slack.people.say(ann, dm, 'hello & <good> day');
  const first = await inbox.next();
  assert.deepEqual(first, {
    channel: 'slack',
    channelType: 'slack',
    tenant: slack.team.id,
    chat: { id: dm.id, kind: 'dm' },
    id: dm.messages[0]?.ts,
    kind: 'message',
    sender: { id: ann.id, name: 'Ann Lee', isBot: false, language: 'en-US' },
    sentAt: first.sentAt,
    text: 'hello & <good> day',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
  const root = slack.people.say(bob, channel, '@antler what is up?');
  const mention = await inbox.next();
  assert.deepEqual(
    [mention.text, mention.addressed, mention.topic, mention.chat, mention.sender.language],
    ['what is up?', 'mention', root.ts, { id: channel.id, kind: 'group', title: 'team' }, 'zh-CN'],
  );
  assert.equal(statuses.at(-1)?.state, 'connected');
  await adapter.send(target, { markdown: 'Hi **Ann**' }, { key: '1' });
  assert.equal(shownText(dm.messages.at(-1) ?? dm.messages[0] ?? assert.fail()), 'Hi **Ann**');
  const { id } = await adapter.send(threadBelow(channel, root), { markdown: 'Fine' }, { key: '2' });
  const answer = channel.messages.find(({ ts }) => ts === id);
  assert.deepEqual([answer?.threadTs, answer?.app === app], [root.ts, true]);
});
