import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileId } from '../../base/ids.ts';
import { targetOf } from '../../channel/target.ts';
import { openRoom, type Subject } from './room.ts';

/** The smallest valid PNG: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TEXT = new TextEncoder().encode('name,price\n梨,5\n');
const anySignal = (): AbortSignal => AbortSignal.timeout(10_000);

/** Files come and go whole, or the manifest says that they do not. */
export function filesConformance(subject: Subject): void {
  for (const { name, mime, content } of [
    { name: 'prices.csv', mime: 'text/csv', content: TEXT },
    { name: 'pixel.png', mime: 'image/png', content: PNG },
  ]) {
    test(`the bytes of ${name} come in whole, and no more of them than asked for`, async (t) => {
      const { play, desk, adapter, manifest } = await openRoom(t, subject);
      if (manifest.capabilities.maxFileInBytes === 0) {
        assert.equal(adapter.fetchFile, undefined);
        return;
      }
      await play.say(play.ann, play.annAlone, { text: '', file: { name, mime, content } });
      const message = await desk.inbox.next();
      assert.equal(message.files.length, 1, JSON.stringify(message.text));
      const file = message.files[0];
      assert.ok(file !== undefined && adapter.fetchFile !== undefined);
      assert.equal(file.kind, mime.startsWith('image/') ? 'image' : 'file');
      const again = JSON.parse(JSON.stringify(file)) as typeof file;
      const fetched = await adapter.fetchFile(again, { maxBytes: 1_000_000, signal: anySignal() });
      assert.deepEqual(Buffer.from(fetched.content), Buffer.from(content));
      await assert.rejects(adapter.fetchFile(again, { maxBytes: 3, signal: anySignal() }), { code: 'too_large' });
    });

    test(`${name} goes out whole, with its caption`, async (t) => {
      const { play, desk, adapter, manifest, shows } = await openRoom(t, subject);
      if (manifest.capabilities.maxFileOutBytes === 0) {
        assert.equal(adapter.sendFile, undefined);
        return;
      }
      await play.say(play.ann, play.annAlone, { text: 'open' });
      const target = targetOf(await desk.inbox.next());
      const kind = mime.startsWith('image/') ? 'image' : 'file';
      const file = { id: 'f_1' as FileId, kind, name, mime, bytes: content.length, content } as const;
      await adapter.sendFile?.(target, file, 'Here **it** is', { key: 'file' });
      const shown = await shows(play.annAlone, (messages) => messages.some(({ files }) => files.length > 0));
      const sent = shown.flatMap(({ files }) => files);
      assert.equal(sent.length, 1);
      assert.ok(sent[0] !== undefined);
      assert.deepEqual(Buffer.from(play.content(sent[0])), Buffer.from(content));
      assert.match(shown.map(({ text }) => text).join('\n'), /Here \**it\** is/);
    });
  }

  test('the name under which a file goes out leads nowhere, hides nothing and is not too long', async (t) => {
    const { play, desk, adapter, manifest, shows } = await openRoom(t, subject);
    if (manifest.capabilities.maxFileOutBytes === 0) return t.skip('no files go out');
    await play.say(play.ann, play.annAlone, { text: 'open' });
    const target = targetOf(await desk.inbox.next());
    const name = `/etc/..\\.in"voice\u202e\r\n\u0000${'名'.repeat(400)}.csv`;
    const file = {
      ...{ id: 'f_1' as FileId, kind: 'file' as const, name, mime: 'text/csv' },
      ...{ bytes: TEXT.length, content: TEXT },
    };
    await adapter.sendFile?.(target, file, '', { key: 'file' });
    const shown = await shows(play.annAlone, (messages) => messages.some(({ files }) => files.length > 0));
    const [sent = assert.fail()] = shown.flatMap(({ files }) => files);
    assert.match(sent.name, /^in_voice 名{20,80}\.csv$/);
  });

  test('a file that is gone says so instead of hanging or handing over something else', async (t) => {
    const { adapter, manifest, play, desk } = await openRoom(t, subject);
    if (manifest.capabilities.maxFileInBytes === 0) return t.skip('no files come in');
    await play.say(play.ann, play.annAlone, { text: '', file: { name: 'a.txt', mime: 'text/plain', content: TEXT } });
    const file = (await desk.inbox.next()).files[0];
    assert.ok(file !== undefined);
    await assert.rejects(
      async () => adapter.fetchFile?.({ ...file, id: 'never-was' }, { maxBytes: 1_000, signal: anySignal() }),
      { name: 'AntlerError' },
    );
  });
}
