import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile } from '../../../src/channel/port.ts';
import { startRig } from './testing/rig.ts';

let rig: Awaited<ReturnType<typeof startRig>>;
before(async () => {
  rig = await startRig();
  await rig.adapter.start();
  await rig.connected();
});
after(() => rig.stop());

const signal = new AbortController().signal;
const fileOf = (name: string, content: Uint8Array): OutgoingFile =>
  ({ id: 'f_1', kind: 'file', name, mime: 'application/octet-stream', bytes: content.length, content }) as OutgoingFile;

test('a message comes in, and the answer goes out as text that reads well', async () => {
  const { wechat, adapter, inbox, ann, dm } = rig;
  wechat.people.say(ann, ann, 'hello');
  const message = await inbox.next();
  assert.deepEqual(
    [message.text, message.addressed, message.chat.id, message.sender.name, message.sender.isBot],
    ['hello', 'dm', ann.id, 'Ann', false],
  );
  const { id } = await adapter.send(dm, { markdown: 'Hi **Ann**\n\n- one\n- two' }, { key: '1' });
  const sent = wechat.visible(ann).at(-1);
  assert.deepEqual([sent?.text, sent?.id, sent?.from], ['Hi Ann\n\n• one\n• two', id, wechat.account]);
});

test('in a room the bot is called by its alias there, or by its id', async () => {
  const { wechat, inbox, ann, bob } = rig;
  const room = wechat.addRoom({ topic: 'Club', members: [ann, bob], aliases: { Antler: '助手', Ann: 'Annie' } });
  const { people, account } = wechat;
  people.say(ann, room, 'who is in?');
  people.say(ann, room, `${people.at(account, room)}are you?`, { mention: [account] });
  people.say(bob, room, `${people.at(account, room)}and now?`);
  people.say(bob, room, `${people.at(ann, room)}and you?`, { mention: [ann] });
  const heard = [await inbox.next(), await inbox.next(), await inbox.next(), await inbox.next()];
  assert.deepEqual(
    heard.map(({ addressed, text, sender, chat }) => [addressed, text, sender.name, chat.title]),
    [
      ['none', 'who is in?', 'Annie', 'Club'],
      ['mention', 'are you?', 'Annie', 'Club'],
      ['mention', 'and now?', 'Bob', 'Club'],
      ['none', '@Annie and you?', 'Bob', 'Club'],
    ],
  );
  assert.deepEqual(heard[3]?.mentions, [{ id: ann.id, name: 'Annie' }]);
});

test('two members of the bot’s name make the name mean nobody', async () => {
  const { wechat, inbox, ann } = rig;
  const room = wechat.addRoom({ topic: 'Twins', members: [ann, wechat.addContact('Antler')] });
  wechat.people.say(ann, room, '@Antler\u2005hi');
  assert.equal((await inbox.next()).addressed, 'none');
});

test('quotes, recalls, comings and goings', async () => {
  const { wechat, inbox, ann, bob } = rig;
  const { people } = wechat;
  const room = wechat.addRoom({ topic: 'Pets', members: [ann] });
  const cat = people.say(ann, room, 'my cat');
  people.say(ann, room, 'is white', { quote: cat });
  people.recall(cat);
  people.join(bob, room, ann);
  people.rename(ann, room, 'Cats');
  people.leave(wechat.account, room, ann);
  people.say(ann, room, 'quiet now');
  assert.equal((await inbox.next()).text, 'my cat');
  const reply = await inbox.next();
  assert.deepEqual([reply.text, reply.quote?.author, reply.quote?.text], ['is white', 'Ann', 'my cat']);
  const recall = await inbox.next();
  assert.deepEqual([recall.kind, recall.id], ['recall', cat.id]);
  const joined = await inbox.next();
  assert.deepEqual([joined.kind, joined.text, joined.sender.name], ['joined', 'Bob', 'Ann']);
  const left = await inbox.next();
  assert.deepEqual([left.kind, left.mentions[0]?.id], ['left', wechat.account.id]);
  assert.equal((await inbox.next()).text, 'quiet now');
});

test('own messages are not heard, and a repeated one is the same one', async () => {
  const { wechat, inbox, ann } = rig;
  wechat.people.say(wechat.account, ann, 'from my phone');
  const message = wechat.people.say(ann, ann, 'once');
  wechat.people.repeat(message);
  const [first, second] = [await inbox.next(), await inbox.next()];
  assert.deepEqual([first.text, first.id], ['once', message.id]);
  assert.deepEqual(second, first);
});

test('cards say what is behind them', async () => {
  const { wechat, inbox, ann, bob } = rig;
  const card = (type: 'url' | 'miniProgram' | 'contact', more: object) =>
    wechat.people.say(ann, ann, '<msg/>', { type, card: more });
  card('url', { title: 'News', url: 'https://example.com/1' });
  card('miniProgram', { title: 'Shop' });
  card('contact', { contactId: bob.id });
  wechat.people.say(ann, ann, '<msg/>', { type: 'url' });
  const said = [await inbox.next(), await inbox.next(), await inbox.next(), await inbox.next()];
  assert.deepEqual(
    said.map(({ text }) => text),
    ['[link News, https://example.com/1]', '[mini program Shop]', '[contact Bob]', '[link]'],
  );
});

test('a room or person that cannot be looked up any more is known by the id, which is no name', async () => {
  const { wechat, inbox } = rig;
  const ghost = wechat.addContact('Ghost');
  wechat.forget(ghost);
  wechat.people.say(ghost, ghost, 'boo');
  const message = await inbox.next();
  assert.deepEqual([message.text, message.sender], ['boo', { id: ghost.id, name: '', isBot: false }]);
});

test('a file comes in by its bytes, and no further than allowed', async () => {
  const { wechat, adapter, inbox, ann } = rig;
  const bytes = new Uint8Array(200_000).fill(7);
  wechat.people.sendFile(ann, ann, { name: '报告.pdf', bytes });
  const file = (await inbox.next()).files[0];
  assert.ok(file !== undefined);
  const fetched = await adapter.fetchFile?.(file, { maxBytes: 300_000, signal });
  assert.deepEqual(Buffer.from(fetched?.content ?? []), Buffer.from(bytes));
  await assert.rejects(async () => adapter.fetchFile?.(file, { maxBytes: 100_000, signal }), { code: 'too_large' });
  await assert.rejects(
    async () => adapter.fetchFile?.({ ...file, id: 'nobody' }, { maxBytes: 10, signal }),
    AntlerError,
  );
});

test('a file goes out with its caption behind it, and is not sent again when the caption fails', async () => {
  const { wechat, adapter, dm, bob } = rig;
  const target = { ...dm, chat: bob.id };
  const content = new Uint8Array([137, 80, 78, 71]);
  wechat.faults.plan('messageSendText', { kind: 'refuse', message: 'read ECONNREFUSED' });
  const send = () => adapter.sendFile?.(target, fileOf('cat.png', content), 'my **cat**', { key: 'file-1' });
  await assert.rejects(async () => send(), { code: 'unavailable' });
  await send();
  const seen = wechat.visible(bob);
  assert.deepEqual(
    seen.map(({ type, text, file }) => [type, text, file?.name]),
    [
      ['image', '', 'cat.png'],
      ['text', 'my cat', undefined],
    ],
  );
  assert.deepEqual([...(seen[0]?.file?.bytes ?? [])], [...content]);
});

test('a mention calls the person in a room, and nobody in a direct chat', async () => {
  const { wechat, adapter, dm, group, ann, room } = rig;
  const markdown = `[@Ann](mention:${encodeURIComponent(ann.id)}) **look**`;
  await adapter.send(group, { markdown }, { key: 'm1' });
  await adapter.send(dm, { markdown }, { key: 'm2' });
  const inRoom = wechat.visible(room).at(-1);
  assert.deepEqual([inRoom?.text, inRoom?.mentions], ['@Ann\u2005 look', [ann.id]]);
  const direct = wechat.visible(ann).at(-1);
  assert.deepEqual([direct?.text, direct?.mentions], ['@Ann look', []]);
});

test('what intake cannot store is offered again, and the other chats go on meanwhile', async () => {
  const { wechat, inbox, ann, bob } = rig;
  inbox.refuse = ({ text }) => text === 'first' && new AntlerError('unavailable', 'down', { retryable: true });
  wechat.people.say(ann, ann, 'first');
  wechat.people.say(ann, ann, 'second');
  wechat.people.say(bob, bob, 'from bob');
  assert.equal((await inbox.next()).text, 'from bob');
  inbox.refuse = () => false;
  assert.equal((await inbox.next()).text, 'first');
  assert.equal((await inbox.next()).text, 'second');
});

test('one message that intake never takes does not hold up its chat', async () => {
  const { wechat, inbox, ann } = rig;
  inbox.refuse = ({ text }) => text === 'poison' && new AntlerError('internal', 'cannot be stored');
  wechat.people.say(ann, ann, 'poison');
  wechat.people.say(ann, ann, 'later');
  assert.equal((await inbox.next()).text, 'later');
  inbox.refuse = () => false;
});

test('requests to the account are left to its owner', async () => {
  const { wechat, inbox, ann, logged } = rig;
  wechat.people.askForFriendship();
  wechat.people.inviteToRoom();
  wechat.people.say(ann, ann, 'after them');
  assert.equal((await inbox.next()).text, 'after them');
  assert.ok(!wechat.calls.list().some(({ method }) => /accept/i.test(method)));
  const notes = JSON.stringify(logged);
  assert.ok(notes.includes('"friendship"') && notes.includes('"room-invite"'));
});

test('an error event, or a message that cannot be read, is survived', async () => {
  const { wechat, inbox, ann, statuses } = rig;
  wechat.emit('error', { gerror: JSON.stringify({ message: 'something' }) });
  wechat.emit('message', { messageId: 'nobody-knows' });
  wechat.emit('room-join', { roomId: 'x', inviteeIdList: null, inviterId: 5 });
  wechat.people.say(ann, ann, 'still here');
  assert.equal((await inbox.next()).text, 'still here');
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('probe says who the bot is', async () => {
  assert.deepEqual(await rig.adapter.probe(), { ok: true, identity: 'Antler' });
});
