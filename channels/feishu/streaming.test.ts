import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type RigOptions, startRig } from './testing/rig.ts';

const rigs: Awaited<ReturnType<typeof startRig>>[] = [];
async function rig(options: RigOptions = {}) {
  const made = await startRig(options);
  rigs.push(made);
  return made;
}
afterEach(async () => {
  for (const made of rigs.splice(0)) await made.stop();
});

test('a growing answer streams in one card and ends whole, closed and summarised', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const draft = { key: 's:0', draft: true };
  const { id } = await adapter.send(target, { markdown: 'one **tw' }, draft);
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.equal(feishu.text(message), 'one **tw**');
  assert.notEqual(message.card?.streamingSince, undefined);
  for (const markdown of ['one **two**', 'one **two** three']) await adapter.edit?.(target, id, { markdown }, draft);
  await adapter.edit?.(target, id, { markdown: 'one **two** three `four`' }, { key: 'd1' });
  assert.deepEqual(message.history, ['one **tw**', 'one **two**', 'one **two** three', 'one **two** three `four`']);
  assert.equal(message.card?.streamingSince, undefined);
  assert.deepEqual(message.card?.json.config?.summary, { content: 'one two three four' });
  const sequences = feishu.calls
    .list('PUT /cardkit/v1/cards/:id/elements/:id/content')
    .map(({ body }) => Number(body.sequence));
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(sequences).size, sequences.length);
  await adapter.edit?.(
    target,
    id,
    { markdown: 'changed later', buttons: [{ label: 'Ok', value: 'ok' }] },
    { key: 'd2' },
  );
  assert.equal(feishu.text(message), 'changed later\n[Ok]');
});

test('another replica finishes what one has begun to stream', async () => {
  const { feishu, adapter, replica, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  for (const markdown of ['half a', 'half an', 'half an ans'])
    await adapter.edit?.(target, id, { markdown }, { key: 's:0', draft: true });
  const other = await replica();
  await other.edit?.(target, id, { markdown: 'the whole answer' }, { key: 'd' });
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual([feishu.text(message), message.card?.streamingSince], ['the whole answer', undefined]);
  await other.stop();
});

test('the end of an answer is never shown where the sending of its first stand was not confirmed', async () => {
  for (const processed of [true, false])
    for (const markdown of ['One, two', 'One, **two** `three`']) {
      const { feishu, adapter, direct, target } = await rig();
      feishu.faults.plan('POST /im/v1/messages', { kind: 'drop', processed });
      await assert.rejects(adapter.send(target, { markdown: 'One' }, { key: 'k', draft: true }), { code: 'uncertain' });
      const { id } = await adapter.send(target, { markdown }, { key: 'k' });
      assert.equal((await adapter.send(target, { markdown }, { key: 'k' })).id, id);
      const [message = assert.fail(), ...more] = feishu.visible(direct);
      assert.equal(more.length, 0);
      assert.deepEqual([message.id, message.card?.streamingSince], [id, undefined]);
      assert.equal(feishu.text(message), markdown);
    }
});

test('an answer whose gateway died over its first stand is whole all the same', async () => {
  const { feishu, adapter, replica, direct, target } = await rig();
  await adapter.send(target, { markdown: 'One' }, { key: 'k', draft: true });
  const other = await replica();
  await other.send(target, { markdown: 'One, two' }, { key: 'k' });
  const shown = feishu.visible(direct).map((message) => feishu.text(message));
  assert.deepEqual(shown, ['One', 'One, two']);
  await other.stop();
});

test('another replica’s clock may be behind', async () => {
  let behind = 0;
  const { feishu, adapter, replica, direct, target } = await rig({ ahead: () => -behind });
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  await adapter.edit?.(target, id, { markdown: 'half an' }, { key: 's:0', draft: true });
  behind = 20_000;
  const other = await replica();
  await other.edit?.(target, id, { markdown: 'the whole answer' }, { key: 'd' });
  assert.equal(feishu.text(feishu.visible(direct).at(-1) ?? assert.fail()), 'the whole answer');
  await other.stop();
});

test('after ten minutes a card streams no more; it goes on growing and ends whole', async () => {
  const { feishu, adapter, direct, target } = await rig({ feishu: { limits: { streamingMs: -1 } } });
  const draft = { key: 's:0', draft: true };
  const { id } = await adapter.send(target, { markdown: 'one' }, draft);
  await adapter.edit?.(target, id, { markdown: 'one two' }, draft);
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.equal(feishu.text(message), 'one two');
  await adapter.edit?.(target, id, { markdown: 'one two three' }, { key: 'd' });
  assert.equal(feishu.text(message), 'one two three');
  assert.equal(feishu.visible(direct).length, 1);
});

test('without the scope of CardKit, answers grow by edits of a plain card', async () => {
  const { feishu, adapter, app, direct, target } = await rig();
  app.lacks.add('cardkit:card:write');
  const draft = { key: 's:0', draft: true };
  for (const round of ['a', 'b']) {
    const { id } = await adapter.send(target, { markdown: 'one' }, { ...draft, key: round });
    for (let stand = 0; stand < 30; stand++) await adapter.edit?.(target, id, { markdown: `one ${stand}` }, draft);
    await adapter.edit?.(target, id, { markdown: 'done' }, { key: `d${round}` });
    const message = feishu.visible(direct).at(-1) ?? assert.fail();
    assert.equal(feishu.text(message), 'done');
    assert.equal(message.card?.json.config?.streaming_mode, false);
  }
  assert.equal(feishu.calls.list('POST /cardkit/v1/cards/id_convert').length, 1);
});

test('a streamed card that is gone is taken away, so that the answer can be sent anew', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  await adapter.edit?.(target, id, { markdown: 'half an' }, { key: 's:0', draft: true });
  feishu.faults.plan('PUT /cardkit/v1/cards/:id/elements/:id/content', { kind: 'refuse', code: 200750 });
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: 'whole' }, { key: 'd' }), {
    code: 'target_gone',
  });
  assert.deepEqual(feishu.visible(direct), []);
});

test('refused formatting can be shown plainly, in new messages and in streamed ones', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const tables = Array.from({ length: 6 }, () => '| a |\n|---|\n| b |').join('\n\n');
  await assert.rejects(adapter.send(target, { markdown: tables }, { key: '1' }), { code: 'format_refused' });
  await adapter.send(target, { markdown: tables }, { key: '1', plain: true });
  assert.equal(feishu.visible(direct).at(-1)?.type, 'text');
  const { id } = await adapter.send(target, { markdown: '**a**' }, { key: '2', draft: true });
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: tables }, { key: 'd' }), {
    code: 'format_refused',
  });
  await adapter.edit?.(target, id, { markdown: '**b**' }, { key: 'd', plain: true });
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual([feishu.text(message), message.card?.streamingSince], ['b', undefined]);
});

test('texts and rich texts are edited as such, until Feishu takes no more edits', async () => {
  const { feishu, adapter, replica, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'one' }, { key: '1' });
  await adapter.edit?.(target, id, { markdown: 'two **bold**' }, { key: '2' });
  const other = await replica();
  await other.edit?.(target, id, { markdown: 'three' }, { key: '3' });
  await other.stop();
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual(message.history, ['one', 'two bold', 'three']);
  for (let edit = 2; edit < 20; edit++)
    await adapter.edit?.(target, id, { markdown: `edit ${edit}` }, { key: `${edit}` });
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: 'last' }, { key: 'x' }), {
    code: 'target_gone',
  });
  await adapter.delete?.(target, id);
  await adapter.delete?.(target, id);
});

const CONTENT = 'PUT /cardkit/v1/cards/:id/elements/:id/content';
const SETTINGS = 'PATCH /cardkit/v1/cards/:id/settings';

for (const [call, code, what] of [
  [CONTENT, 200850, 'ten minutes are over'],
  [CONTENT, 300309, 'it has stopped streaming'],
  [CONTENT, 300313, 'its element is gone'],
  [CONTENT, 300317, 'another replica’s clock is ahead'],
  [SETTINGS, 300305, 'it cannot be closed'],
  [SETTINGS, 300317, 'it is closed out of turn'],
  [SETTINGS, 200850, 'it has closed by itself'],
] as const) {
  test(`the whole answer arrives when ${what}`, async () => {
    const { feishu, adapter, direct, target } = await rig();
    const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
    await adapter.edit?.(target, id, { markdown: 'half an' }, { key: 's:0', draft: true });
    feishu.faults.plan(call, { kind: 'refuse', code });
    await adapter.edit?.(target, id, { markdown: 'the **whole** answer' }, { key: 'd' });
    const [message = assert.fail(), ...others] = feishu.visible(direct);
    assert.deepEqual([feishu.text(message), others.length], ['the **whole** answer', 0]);
    assert.equal(message.card?.streamingSince, undefined);
    assert.deepEqual(message.card?.json.config?.summary, { content: 'the whole answer' });
  });
}

test('an end that the platform holds up or loses is made again', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  const finish = async () => adapter.edit?.(target, id, { markdown: 'the whole answer' }, { key: 'd' });
  feishu.faults.plan(SETTINGS, { kind: 'refuse', code: 99991400, status: 429, resetSeconds: 2 });
  await assert.rejects(finish, { code: 'rate_limited', retryAfterMs: 2_000 });
  feishu.faults.plan(CONTENT, { kind: 'drop', processed: true });
  await assert.rejects(finish, { code: 'unavailable', retryable: true });
  feishu.faults.plan(CONTENT, { kind: 'refuse', code: 200860 });
  await assert.rejects(finish, { code: 'too_large' });
  await finish();
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual([feishu.text(message), message.card?.streamingSince], ['the whole answer', undefined]);
});

test('a card that is refused while it grows is shown plainly at its end, with CardKit and without', async () => {
  const { feishu, adapter, app, direct, target } = await rig({ feishu: { limits: { maxCardTables: 0 } } });
  const table = '| a |\n|---|\n| b |';
  for (const scope of ['', 'cardkit:card:write']) {
    app.lacks.add(scope);
    const { id } = await adapter.send(target, { markdown: 'Look:' }, { key: `s${scope}`, draft: true });
    const edit = async (options: object) =>
      adapter.edit?.(target, id, { markdown: `Look:\n\n${table}` }, { key: 'd', ...options });
    await assert.rejects(edit({ draft: true }), { code: 'format_refused' });
    await assert.rejects(edit({}), { code: 'format_refused' });
    await edit({ plain: true });
    const message = feishu.visible(direct).at(-1) ?? assert.fail();
    assert.match(feishu.text(message), /^Look:\n\na\n.*\nb$/s);
    assert.equal(message.card?.streamingSince, undefined);
  }
});
