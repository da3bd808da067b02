import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { dedupeKey } from '../../channel/message.ts';
import { targetOf } from '../../channel/target.ts';
import { openRoom, type Subject } from './room.ts';

/** What people say and do arrives as the port says. */
export function receivingConformance(subject: Subject): void {
  test('a direct message arrives with its words, its speaker and its chat', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    const before = Date.now();
    const id = await play.say(play.ann, play.annAlone, { text: 'hello *there* <b> & 谢谢 👍🏽' });
    const message = await desk.inbox.next();
    assert.equal(message.channelType, play.type);
    assert.equal(message.kind, 'message');
    assert.equal(message.addressed, 'dm');
    assert.equal(message.text, 'hello *there* <b> & 谢谢 👍🏽');
    assert.deepEqual([message.chat.id, message.chat.kind, message.id], [play.annAlone.id, 'dm', id]);
    assert.deepEqual([message.sender.id, message.sender.isBot], [play.ann.id, false]);
    assert.ok(!message.sender.name.includes(message.sender.id), 'an id stands for nobody’s name');
    // Some platforms tell only the second.
    assert.ok(Math.abs(message.sentAt - before) < 60_000, `sent at ${message.sentAt}, said at ${before}`);
    assert.deepEqual(JSON.parse(JSON.stringify(message)), message);
  });

  test('two people alone with the bot are in two chats', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    await play.say(play.ann, play.annAlone, { text: 'from Ann' });
    const ann = await desk.inbox.next();
    await play.say(play.bo, play.boAlone, { text: 'from Bo' });
    const bo = await desk.inbox.next();
    assert.notEqual(ann.chat.id, bo.chat.id);
    assert.notEqual(ann.sender.id, bo.sender.id);
  });

  test('in a group it is told what is said to the bot, and the address itself is no part of it', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    if (play.group === undefined) return t.skip('the platform gives bots no groups');
    await play.say(play.bo, play.group, { text: 'lunch?' });
    await play.say(play.ann, play.group, { text: 'what time is it', toBot: true });
    let message = await desk.inbox.next();
    if (message.text === 'lunch?') {
      assert.equal(message.addressed, 'none');
      message = await desk.inbox.next();
    }
    assert.equal(message.text, 'what time is it');
    assert.equal(message.addressed, 'mention');
    assert.deepEqual([message.chat.id, message.chat.kind], [play.group.id, 'group']);
    assert.equal(message.sender.id, play.ann.id);
  });

  test('what is delivered twice bears one identity', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    if (play.redeliver === undefined) return t.skip('the platform never delivers twice');
    await play.say(play.ann, play.annAlone, { text: 'once' });
    const first = await desk.inbox.next();
    await play.redeliver();
    await play.say(play.ann, play.annAlone, { text: 'after it' });
    const second = await desk.inbox.next();
    // An adapter may know the repetition itself; if not, intake does by its identity.
    if (second.text !== 'after it') assert.equal(dedupeKey(second), dedupeKey(first));
  });

  test('what intake could not store is not lost', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    if (play.redeliver === undefined) return t.skip('the platform never delivers twice');
    let refusals = 0;
    desk.inbox.refuse = () => refusals++ === 0 && new AntlerError('unavailable', 'no database', { retryable: true });
    await play.say(play.ann, play.annAlone, { text: 'keep me' });
    assert.equal((await desk.inbox.next()).text, 'keep me');
    assert.ok(refusals > 1);
  });

  test('a quotation comes with what it quotes, and says when that was the bot', async (t) => {
    const { play, desk, adapter, shows } = await openRoom(t, subject);
    if (play.quotes === false) return t.skip('bots are not told of this here');
    await play.say(play.ann, play.annAlone, { text: 'open' });
    const target = targetOf(await desk.inbox.next());
    await adapter.send(target, { markdown: 'The bot **spoke**.' }, { key: 'quotable' });
    const [spoken] = await shows(play.annAlone, (messages) => messages.length > 0);
    await play.say(play.ann, play.annAlone, { text: 'what was that?', quoting: spoken?.id ?? '' });
    const message = await desk.inbox.next();
    assert.equal(message.text, 'what was that?');
    assert.equal(message.quote?.fromBot, true);
    assert.match(message.quote?.text ?? '', /The bot \**spoke/);
    const preview = play.shown(play.annAlone).at(-1)?.quoting?.text;
    assert.ok(preview === undefined || preview === spoken?.text, 'a quotation shows what was shown');
  });

  test('an edited message says so, under its own id', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    if (play.edit === undefined) return t.skip('people cannot edit here');
    const id = await play.say(play.ann, play.annAlone, { text: 'teh' });
    await desk.inbox.next();
    await play.edit(play.ann, play.annAlone, id, 'the');
    const message = await desk.inbox.next();
    assert.deepEqual([message.kind, message.id, message.text], ['edit', id, 'the']);
  });

  test('a message that is taken back says so, under its own id', async (t) => {
    const { play, desk } = await openRoom(t, subject);
    if (play.recall === undefined) return t.skip('bots are not told of this here');
    const id = await play.say(play.ann, play.annAlone, { text: 'oops' });
    await desk.inbox.next();
    await play.recall(play.ann, play.annAlone, id);
    const message = await desk.inbox.next();
    assert.deepEqual([message.kind, message.id], ['recall', id]);
  });

  test('the bot does not hear itself as a person', async (t) => {
    const { play, desk, adapter } = await openRoom(t, subject);
    await play.say(play.ann, play.annAlone, { text: 'open' });
    const target = targetOf(await desk.inbox.next());
    await adapter.send(target, { markdown: 'talking to myself' }, { key: 'own' });
    await play.say(play.ann, play.annAlone, { text: 'next' });
    for (;;) {
      const message = await desk.inbox.next();
      if (message.text === 'next') break;
      assert.equal(message.sender.isBot, true, `heard ${message.text}`);
    }
  });
}
