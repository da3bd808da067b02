import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRig } from '../testing/rig.ts';
import { bodies, opened } from '../testing/steps.ts';

test('a pressed button is shown as pressed, and cannot be pressed again', async (t) => {
  const rig = await startRig(t, 'websocket');
  const buttons = [
    { label: 'Yes', value: 'yes' },
    { label: 'No', value: 'no' },
  ];
  await rig.adapter.send(rig.target, { markdown: 'Shall I?', buttons }, { key: 'b' });
  const message = await rig.wecom.waitFor(rig.direct, ({ card }) => card !== undefined);
  rig.wecom.people.press(rig.ann, message, 'Yes');
  assert.equal((await rig.inbox.next()).text, 'yes');
  await rig.wecom.waitFor(rig.direct, ({ card }) => card?.replaced === '✔ Yes');
});

test('buttons below a long text are on a card of their own, or numbered where there are too many', async (t) => {
  const rig = await startRig(t, 'websocket');
  const buttons = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ label: `Choice ${n}`, value: String(n) }));
  const markdown = 'words '.repeat(60).trim();
  await rig.adapter.send(rig.target, { markdown, buttons: buttons(2) }, { key: 'b1' });
  const shown = rig.wecom.visible(rig.direct);
  assert.deepEqual([shown[0]?.text, shown[1]?.card?.buttons.length], [markdown, 2]);
  await rig.adapter.send(rig.target, { markdown: 'Which?', buttons: buttons(7) }, { key: 'b2' });
  assert.match(rig.said(rig.direct).at(-1) ?? '', /^Which\?\n\n1\. Choice 0\n[\s\S]*7\. Choice 6$/);
});

test('a card that is refused leaves its words, and its buttons as numbers', async (t) => {
  const rig = await startRig(t, 'websocket');
  const markdown = 'words '.repeat(60).trim();
  const buttons = [{ label: '', value: 'no label is nothing that a card may have' }];
  await rig.adapter.send(rig.target, { markdown, buttons }, { key: 'b' });
  assert.deepEqual(rig.said(rig.direct), [markdown, '1. ']);
});

test('an old button says that it is one', async (t) => {
  const rig = await startRig(t, 'websocket');
  const about = { event_key: `~${'x'.repeat(32)}`, task_id: 'old' };
  rig.wecom.people.tell(rig.direct, rig.ann, {
    msgtype: 'event',
    event: { eventtype: 'template_card_event', template_card_event: about },
  });
  await rig.wecom.waitFor(rig.direct, ({ fromBot, text }) => fromBot && /失效|does not work/.test(text));
  assert.equal(rig.inbox.waiting, 0);
});

test('a file of many chunks arrives whole, and one that is too large or too small is refused before it goes', async (t) => {
  const rig = await startRig(t, 'websocket');
  const content = Buffer.alloc(1_200 * 1_024, 7);
  const file = {
    id: 'f' as never,
    kind: 'file',
    name: 'a.bin',
    mime: 'application/octet-stream',
    bytes: content.length,
    content,
  } as const;
  await rig.adapter.sendFile?.(rig.target, file, '', { key: 'f' });
  const shown = await rig.wecom.waitFor(rig.direct, (message) => message.file !== undefined);
  assert.ok(Buffer.from(shown.file?.content ?? []).equals(content));
  assert.equal(bodies(rig, 'aibot_upload_media_chunk').length, 3);
  const large = { ...file, bytes: 21 * 1024 * 1024 };
  await assert.rejects(async () => rig.adapter.sendFile?.(rig.target, large, '', { key: 'g' }), { code: 'too_large' });
  const small = { ...file, bytes: 3, content: Buffer.from('abc') };
  await assert.rejects(async () => rig.adapter.sendFile?.(rig.target, small, '', { key: 'h' }), {
    code: 'unsupported',
  });
});

test('a file whose sending failed is tried again without its caption', async (t) => {
  const rig = await startRig(t, 'websocket');
  const content = Buffer.from('hello file');
  const file = {
    id: 'f' as never,
    kind: 'file',
    name: 'a.txt',
    mime: 'text/plain',
    bytes: content.length,
    content,
  } as const;
  await rig.adapter.send(rig.target, { markdown: 'first' }, { key: 'x' });
  const send = () => rig.adapter.sendFile?.(rig.target, file, 'See **this**', { key: 'f' });
  rig.wecom.faults.plan('aibot_upload_media_init', { kind: 'refuse', errcode: -1 });
  await assert.rejects(async () => send(), { code: 'unavailable' });
  await send();
  assert.deepEqual(rig.said(rig.direct), ['first', 'See **this**', '']);
});

test('a file that comes while an answer grows does not take its place', async (t) => {
  const rig = await startRig(t, 'websocket');
  const target = await opened(rig);
  const content = Buffer.from('hello file');
  const file = { id: 'f' as never, kind: 'file', name: 'a.txt', mime: 'text/plain', bytes: 10, content } as const;
  const { id } = await rig.adapter.send(target, { markdown: 'here' }, { key: 's:0', draft: true });
  await rig.adapter.sendFile?.(target, file, 'See', { key: 'f' });
  await rig.adapter.edit?.(target, id, { markdown: 'here it is' }, { key: 's:0' });
  assert.deepEqual(rig.said(rig.direct), ['here it is', 'See', '']);
});
