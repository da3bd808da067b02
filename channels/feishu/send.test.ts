import assert from 'node:assert/strict';
import { createServer } from 'node:net';
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

const SEND = 'POST /im/v1/messages';

test('an answer whose question was recalled comes anyway, without it and once', async () => {
  const { feishu, adapter, ann, group, inGroup } = await rig();
  const question = feishu.people.say(ann, group, '@Antler?');
  feishu.people.recall(ann, question);
  await adapter.send({ ...inGroup, replyTo: question.id }, { markdown: 'late' }, { key: '1' });
  const shown = feishu.visible(group);
  assert.deepEqual([shown.length, shown[0]?.parentId], [1, undefined]);
});

test('people are called by name, in rich texts and in cards', async () => {
  const { feishu, adapter, bob, group, inGroup } = await rig();
  const call = `[@Bob](mention:${bob.openId}), please look`;
  await adapter.send(inGroup, { markdown: call }, { key: '1' });
  await adapter.send(inGroup, { markdown: `# Report\n\n${call}` }, { key: '2' });
  assert.deepEqual(
    feishu.visible(group).map((message) => [message.type, feishu.text(message)]),
    [
      ['post', '@Bob, please look'],
      ['interactive', '# Report\n\n@Bob, please look'],
    ],
  );
  assert.deepEqual(feishu.visible(group)[0]?.mentions[0]?.openId, bob.openId);
});

const STRANGER = '[@Zoe](mention:ou_zoe)';

test('a mention of somebody whom Feishu does not know costs no more than that mention', async () => {
  const { feishu, adapter, bob, group, inGroup } = await rig();
  const call = `[@Bob](mention:${bob.openId})`;
  const { id } = await adapter.send(inGroup, { markdown: `# Hi\n\n${call} and ${STRANGER}` }, { key: '1' });
  const message = feishu.visible(group)[0] ?? assert.fail();
  assert.deepEqual([message.type, feishu.text(message)], ['interactive', '# Hi\n\n@Bob and @Zoe']);
  assert.match(message.content, new RegExp(`<at id=${bob.openId}>`));
  await adapter.edit?.(inGroup, id, { markdown: `# Hi\n\n${STRANGER} and **${call}**` }, { key: '2' });
  assert.equal(feishu.text(message), '# Hi\n\n@Zoe and **@Bob**');
  assert.equal(feishu.visible(group).length, 1);
});

test('a growing answer that calls a stranger streams on, and ends with its formatting', async () => {
  const { feishu, adapter, group, inGroup } = await rig();
  const draft = { key: 's:0', draft: true };
  const { id } = await adapter.send(inGroup, { markdown: `${STRANGER}: **one` }, draft);
  await adapter.edit?.(inGroup, id, { markdown: `${STRANGER}: **one** and ${STRANGER}` }, draft);
  await adapter.edit?.(inGroup, id, { markdown: `${STRANGER}: **one** and ${STRANGER}, two` }, { key: 'd' });
  const [message = assert.fail(), ...others] = feishu.visible(group);
  assert.deepEqual([feishu.text(message), others.length], ['@Zoe: **one** and @Zoe, two', 0]);
});

test('where no name can be had, mentions are given up before the formatting is', async () => {
  const { feishu, adapter, bob, app, group, inGroup } = await rig();
  app.lacks.add('contact:user.base:readonly');
  const call = `[@Bob](mention:${bob.openId})`;
  await adapter.send(inGroup, { markdown: `# Hi\n\n${call}` }, { key: '1' });
  assert.match(feishu.visible(group)[0]?.content ?? '', /<at id=/, 'who is known to Feishu is called all the same');
  await adapter.send(inGroup, { markdown: `# Hi\n\n${call} and ${STRANGER}` }, { key: '2' });
  assert.equal(feishu.text(feishu.visible(group)[1] ?? assert.fail()), '# Hi\n\n@Bob and @Zoe');
});

test('what is refused for another reason than its mentions is refused once', async () => {
  const { feishu, adapter, bob, group, inGroup } = await rig();
  feishu.faults.plan(SEND, { kind: 'refuse', code: 230099 }, 2);
  const document = { markdown: `# Hi\n\n[@Bob](mention:${bob.openId})` };
  await assert.rejects(adapter.send(inGroup, document, { key: '1' }), { code: 'format_refused' });
  assert.equal(feishu.calls.list(SEND).length, 1);
  await assert.rejects(adapter.send(inGroup, document, { key: '1', plain: true }), { code: 'format_refused' });
  await adapter.send(inGroup, document, { key: '1', plain: true });
  assert.equal(feishu.text(feishu.visible(group)[0] ?? assert.fail()), 'Hi\n\n@Bob');
});

test('while the bot works, the question carries a reaction; the answer takes it away', async () => {
  const { feishu, adapter, inbox, ann, direct, group, target, inGroup } = await rig();
  await adapter.start();
  const question = feishu.people.say(ann, direct, 'hello');
  await inbox.next();
  await adapter.typing?.(target);
  await adapter.typing?.(target);
  assert.deepEqual(
    question.reactions.map(({ emoji }) => emoji),
    ['Typing'],
  );
  await adapter.send(target, { markdown: 'hi' }, { key: '1' });
  await feishu.calls.waitFor('DELETE /im/v1/messages/:id/reactions/:id', 1);
  assert.deepEqual(question.reactions, []);
  const other = feishu.people.say(ann, group, '@Antler hello');
  await adapter.typing?.({ ...inGroup, replyTo: other.id });
  await adapter.typing?.({ chat: 'oc_unknown', chatKind: 'dm' });
  assert.equal(other.reactions.length, 1);
  await adapter.stop();
  assert.deepEqual(other.reactions, []);
});

test('the same key sends once', async () => {
  const { feishu, adapter, direct, target } = await rig();
  feishu.faults.plan(SEND, { kind: 'drop', processed: true });
  await assert.rejects(adapter.send(target, { markdown: 'hi' }, { key: 'k'.repeat(200) }), { code: 'uncertain' });
  const { id } = await adapter.send(target, { markdown: 'hi' }, { key: 'k'.repeat(200) });
  assert.deepEqual(
    feishu.visible(direct).map((message) => message.id),
    [id],
  );
});

for (const refusalStatus of [200, 400] as const) {
  test(`a failed send says what is known, refusals coming with HTTP ${refusalStatus}`, async () => {
    const { feishu, adapter, target } = await rig({ feishu: { refusalStatus } });
    const send = () => adapter.send(target, { markdown: 'hi' }, { key: '1' });
    const codes: [Parameters<typeof feishu.faults.plan>[1], string][] = [
      [{ kind: 'drop', processed: false }, 'uncertain'],
      [{ kind: 'raw', status: 200, body: '<html>' }, 'uncertain'],
      [{ kind: 'raw', status: 502, body: '<html>' }, 'unavailable'],
      [{ kind: 'refuse', code: 230002 }, 'target_gone'],
      [{ kind: 'refuse', code: 230013 }, 'forbidden'],
      [{ kind: 'refuse', code: 230020 }, 'rate_limited'],
      [{ kind: 'refuse', code: 230025 }, 'too_large'],
    ];
    for (const [fault, code] of codes) {
      feishu.faults.plan(SEND, fault);
      await assert.rejects(send, { code });
    }
    feishu.faults.plan(SEND, { kind: 'refuse', code: 99991400, status: 429, resetSeconds: 7 });
    await assert.rejects(send, { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 });
    await assert.rejects(adapter.send({ chat: 'oc_none', chatKind: 'group' }, { markdown: 'x' }, { key: '2' }), {
      code: 'target_gone',
    });
  });
}

test('one token for many calls at once; a revoked one is replaced', async () => {
  const { feishu, adapter, app, direct, target } = await rig();
  const send = (key: string) => adapter.send(target, { markdown: key }, { key });
  await Promise.all(['1', '2', '3', '4'].map(send));
  const TOKEN = 'POST /auth/v3/tenant_access_token/internal';
  assert.equal(feishu.calls.list(TOKEN).length, 1);
  feishu.revokeTokens(app);
  await Promise.all(['5', '6', '7', '8'].map(send));
  assert.equal(feishu.calls.list(TOKEN).length, 2, 'a token that was refused to many is replaced once');
  assert.equal(feishu.visible(direct).length, 8);
});

test('where nobody listens, nothing was sent', async () => {
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const address = nobody.address();
  await new Promise((resolve) => nobody.close(resolve));
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { adapter, target } = await rig({ config: { domain: `http://127.0.0.1:${port}/` } });
  await assert.rejects(adapter.send(target, { markdown: 'hi' }, { key: '1' }), {
    code: 'unavailable',
    retryable: true,
  });
});
