import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { startRig } from './testing/rig.ts';

const rigs: Awaited<ReturnType<typeof startRig>>[] = [];
async function rig(...options: Parameters<typeof startRig>) {
  const made = await startRig(...options);
  rigs.push(made);
  return made;
}
afterEach(async () => {
  for (const made of rigs.splice(0)) await made.stop();
});

test('a message comes in by the long connection, and the answer goes out', async () => {
  const { feishu, adapter, inbox, ann, direct, app } = await rig();
  await adapter.start();
  feishu.people.say(ann, direct, 'hello');
  const message = await inbox.next();
  assert.equal(message.text, 'hello');
  assert.equal(message.addressed, 'dm');
  assert.equal(message.sender.name, 'Ann');
  const target = { chat: message.chat.id, chatKind: 'dm' as const };
  const { id } = await adapter.send(target, { markdown: 'Hi Ann' }, { key: '1' });
  const sent = feishu.visible(direct).at(-1);
  assert.equal(sent?.id, id);
  assert.equal(sent?.from, app);
  assert.equal(sent?.type, 'text');
  assert.ok(sent !== undefined && feishu.text(sent) === 'Hi Ann');
});
