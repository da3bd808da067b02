import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import type { Adapter, Document, Target } from '../../channel/port.ts';
import { targetOf } from '../../channel/target.ts';
import { mentionUrl } from '../../format/mentions.ts';
import { corpus, wordsOf } from './corpus.ts';
import { openRoom, type Room, type Subject } from './room.ts';

/** Opens Ann's chat as people do: on many platforms a bot may only answer. */
async function opened(room: Room): Promise<Target> {
  await room.play.say(room.play.ann, room.play.annAlone, { text: 'open' });
  return targetOf(await room.desk.inbox.next());
}

/** As delivery does it: plainly where the platform refuses the formatting. */
async function deliver(adapter: Adapter, target: Target, document: Document, key: string): Promise<string> {
  try {
    return (await adapter.send(target, document, { key })).id;
  } catch (error) {
    if (!(error instanceof AntlerError) || error.code !== 'format_refused') throw error;
    return (await adapter.send(target, document, { key, plain: true })).id;
  }
}

/** What the bot says is seen as the port says. */
export function sendingConformance(subject: Subject): void {
  test('an answer is seen by the one who asked, without its markup', async (t) => {
    const room = await openRoom(t, subject);
    const target = await opened(room);
    const { id } = await room.adapter.send(target, { markdown: 'Hi **Ann**, see `code`.' }, { key: 'k1' });
    const [shown] = await room.shows(room.play.annAlone, (messages) => messages.length === 1);
    assert.notEqual(id, '');
    assert.match(shown?.text ?? '', /Hi \**Ann\**, see `?code`?\./);
    assert.deepEqual(room.play.shown(room.play.boAlone), []);
  });

  test('a message of signs that cannot be seen is not an empty bubble', async (t) => {
    const room = await openRoom(t, subject);
    const target = await opened(room);
    await room.adapter.send(target, { markdown: '\u200b \u2060\n\n\u00ad\u2800' }, { key: 'k' });
    const [shown] = await room.shows(room.play.annAlone, (messages) => messages.length > 0);
    assert.equal(shown?.text, '…');
  });

  test('an answer that grows is seen growing, and ends complete and once', async (t) => {
    const room = await openRoom(t, subject);
    const { adapter, manifest, play } = room;
    const target = await opened(room);
    if (manifest.capabilities.stream === 'none') {
      assert.equal(adapter.edit, undefined);
      await adapter.send(target, { markdown: 'one two three' }, { key: 's' });
      const shown = await room.shows(play.annAlone, (messages) => messages.length > 0);
      assert.deepEqual(
        shown.map(({ text }) => text),
        ['one two three'],
      );
      return;
    }
    const { id } = await adapter.send(target, { markdown: 'one' }, { key: 's:0', draft: true });
    await room.shows(play.annAlone, (messages) => messages.some(({ text }) => text.startsWith('one')));
    for (const markdown of ['one', 'one two', 'one **two'])
      await adapter.edit?.(target, id, { markdown }, { key: 's:0', draft: true });
    await adapter.edit?.(target, id, { markdown: 'one **two** three' }, { key: 's:0' });
    const shown = await room.shows(play.annAlone, (messages) => messages.some(({ text }) => text.includes('three')));
    assert.deepEqual(
      shown.map(({ text }) => text.replaceAll('*', '')),
      ['one two three'],
    );
  });

  test('the same key is said once where the platform knows it again', async (t) => {
    const room = await openRoom(t, subject);
    if (room.manifest.capabilities.knowsRepeatsForMs === 0) return t.skip('the platform knows no keys');
    const target = await opened(room);
    await room.adapter.send(target, { markdown: 'just once' }, { key: 'same' });
    await room.adapter.send(target, { markdown: 'just once' }, { key: 'same' }).catch(() => {});
    await room.adapter.send(target, { markdown: 'another' }, { key: 'other' });
    const shown = await room.shows(room.play.annAlone, (messages) => messages.some(({ text }) => text === 'another'));
    assert.deepEqual(
      shown.map(({ text }) => text),
      ['just once', 'another'],
    );
  });

  test('buttons come back with their value and who pressed, or are read as text', async (t) => {
    const room = await openRoom(t, subject);
    const { play, desk, adapter, manifest } = room;
    const target = await opened(room);
    const value = `approve:${'x'.repeat(90)}`;
    const buttons = [
      { label: 'Yes', value },
      { label: 'No', value: 'deny' },
    ];
    await adapter.send(target, { markdown: 'Shall I?', buttons }, { key: 'b' });
    const [shown] = await room.shows(play.annAlone, (messages) => messages.length > 0);
    if (play.press === undefined || !manifest.capabilities.buttons) {
      assert.match(shown?.text ?? '', /Shall I\?[\s\S]*Yes[\s\S]*No/);
      return;
    }
    assert.deepEqual(shown?.buttons, ['Yes', 'No']);
    await play.press(play.ann, play.annAlone, shown?.id ?? '', 'Yes');
    const action = await desk.inbox.next();
    assert.deepEqual([action.kind, action.text, action.sender.id], ['action', value, play.ann.id]);
    assert.equal(action.chat.id, play.annAlone.id);
  });

  test('a person is called by a mention, or at least by name', async (t) => {
    const room = await openRoom(t, subject);
    const { play, adapter, manifest, desk } = room;
    if (play.group === undefined) return t.skip('the platform gives bots no groups');
    await play.say(play.ann, play.group, { text: 'hi', toBot: true });
    const target = targetOf(await desk.inbox.next());
    const markdown = `[@${play.ann.name}](${mentionUrl(play.ann.id)}) please look`;
    await adapter.send(target, { markdown }, { key: 'm' });
    const [shown] = await room.shows(play.group, (messages) => messages.length > 0);
    assert.match(shown?.text ?? '', /please look/);
    assert.doesNotMatch(shown?.text ?? '', /mention:/);
    const called = shown?.looks.some(({ kind, user }) => kind === 'mention' && user === play.ann.id) ?? false;
    assert.equal(called, manifest.capabilities.mentions);
    if (!called) assert.match(shown?.text ?? '', new RegExp(play.ann.name));
  });

  test('whatever a model writes reaches people, in order, in messages that the platform takes', async (t) => {
    const room = await openRoom(t, subject);
    const { play, adapter, manifest } = room;
    let target = await opened(room);
    for (const [index, markdown] of corpus.entries()) {
      if (index > 0 && play.answersPerMessage !== undefined) target = await opened(room);
      const before = play.shown(play.annAlone).length;
      const parts = manifest.split({ markdown });
      assert.ok(parts.length > 0);
      for (const [part, document] of parts.entries()) await deliver(adapter, target, document, `c${index}:${part}`);
      await room.shows(play.annAlone, () => play.shown(play.annAlone).length >= before + parts.length);
      const text = play
        .shown(play.annAlone)
        .slice(before)
        .map((message) => message.text)
        .join('\n');
      let at = 0;
      for (const word of wordsOf(markdown)) {
        const found = text.indexOf(word, at);
        assert.ok(found >= 0, `“${word}” of text ${index} is missing, or out of order:\n${text.slice(0, 2_000)}`);
        at = found + word.length;
      }
    }
  });
}
