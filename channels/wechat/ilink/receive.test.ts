import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startRig } from './testing/rig.ts';

async function connected(t: TestContext, options: Parameters<typeof startRig>[0] = {}) {
  const rig = await startRig(options);
  t.after(rig.stop);
  await rig.adapter.start();
  return { ...rig, self: await rig.bot() };
}

test('a text arrives with its words and its speaker, and an answer goes back', async (t) => {
  const { wechat, inbox, adapter, ann, self, target } = await connected(t);
  const said = wechat.people.say(ann, self, 'hello "message_id":1 你好 [微笑]');
  const message = await inbox.next();
  assert.equal(message.text, 'hello "message_id":1 你好 [微笑]');
  assert.deepEqual([message.id, message.chat.id, message.addressed], [said.id, ann.id, 'dm']);
  const sent = await adapter.send(target, { markdown: 'Hi **Ann**' }, { key: 'k' });
  const shown = await wechat.waitFor(wechat.chatOf(ann, self), ({ fromBot }) => fromBot);
  assert.deepEqual([shown.text, shown.id], ['Hi Ann', sent.id]);
});
