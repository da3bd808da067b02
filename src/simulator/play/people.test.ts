import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playFeishu } from './feishu.ts';
import { playIlink } from './ilink.ts';
import type { Playground, PlayMessage } from './port.ts';
import { playSlack } from './slack.ts';
import { playTelegram } from './telegram.ts';
import { playWecom } from './wecom.ts';

const platforms: readonly (() => Promise<Playground>)[] = [playTelegram, playSlack, playFeishu, playWecom, playIlink];

for (const start of platforms) {
  test(`${start.name}: people see what they say, quote, send and call`, async (t) => {
    const play = await start();
    t.after(() => play.stop());
    const newest = (chat = play.annAlone): PlayMessage => play.shown(chat).at(-1) ?? assert.fail('nothing is shown');

    const first = await play.say(play.ann, play.annAlone, { text: 'one *two* <b>' });
    assert.deepEqual([newest().id, newest().by.name, newest().text], [first, play.ann.name, 'one *two* <b>']);
    assert.deepEqual([newest().by.id, newest().by.isBot, newest().looks], [play.ann.id, false, []]);

    await play.say(play.ann, play.annAlone, { text: 'that', quoting: first });
    assert.deepEqual(newest().quoting, { id: first, name: play.ann.name, text: 'one *two* <b>' });

    const content = new TextEncoder().encode('a,b\n');
    await play.say(play.ann, play.annAlone, { text: '', file: { name: 'a.csv', mime: 'text/csv', content } });
    const [file] = newest().files;
    assert.ok(file !== undefined);
    assert.deepEqual([newest().text, file.name, file.isImage], ['', 'a.csv', false]);
    assert.deepEqual(Buffer.from(play.content(file)), Buffer.from(content));

    if (play.group === undefined) return;
    await play.say(play.bo, play.group, { text: 'hi', toBot: true });
    const { text, looks } = newest(play.group);
    assert.equal(text, `${play.botName} hi`);
    const called = looks.filter(({ kind }) => kind === 'mention');
    assert.deepEqual(
      called.map(({ offset, length }) => text.slice(offset, offset + length)),
      [play.botName],
    );
  });
}
