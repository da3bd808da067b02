import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startRig } from './testing/rig.ts';

let rig: Awaited<ReturnType<typeof startRig>>;
before(async () => {
  rig = await startRig();
  await rig.adapter.start();
  await rig.connected();
});
after(() => rig.stop());

test('a message comes in, and the answer goes out as text that reads well', async () => {
  const { wechat, adapter, inbox, ann, dm } = rig;
  wechat.people.say(ann, ann, 'hello');
  const message = await inbox.next();
  assert.deepEqual(
    [message.text, message.addressed, message.chat.id, message.sender.name, message.sender.isBot],
    ['hello', 'dm', ann.id, 'Ann', false],
  );
  const { id } = await adapter.send(dm, { markdown: 'Hi **Ann**' }, { key: '1' });
  const sent = wechat.visible(ann).at(-1);
  assert.deepEqual([sent?.text, sent?.id, sent?.from], ['Hi Ann', id, wechat.account]);
});
