import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { text } from '../../simulator/model/index.ts';
import { configOf, playAntler, type Stage, setStage } from './stage.ts';

/** Ann is the admin; everybody else needs to be let in. */
async function play(t: TestContext) {
  const stage = await setStage(t);
  const config = configOf(stage);
  const { telegram } = config.channels;
  assert.ok(telegram !== undefined);
  const access = { ...telegram.access, dm: 'pairing' as const, admins: [String(stage.ann.id)] };
  const antler = await playAntler(t, stage, {
    ...config,
    channels: { ...config.channels, telegram: { ...telegram, access } },
  });
  stage.model.handle(() => text('at your service'));
  return { stage, antler, bo: stage.telegram.openPrivateChat(stage.bo, stage.bot) };
}

const codeIn = (words: string): string => /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(words)?.[0] ?? '';

async function askedForCode(stage: Stage, chat: Awaited<ReturnType<typeof play>>['bo']): Promise<string> {
  const { content } = await stage.ask('let me in', /[A-Z2-9]{4}-[A-Z2-9]{4}/, stage.bo, chat);
  return codeIn(content.text);
}

test('a stranger gets a code instead of an answer, and is let in when an admin approves it in a chat', async (t) => {
  const { stage, bo } = await play(t);
  const code = await askedForCode(stage, bo);
  assert.equal(stage.model.requests.length, 0);
  await stage.ask(`/pair ${code.toLowerCase()}`, /is in and has been told/);
  await stage.telegram.waitFor(bo, ({ content }) => /可以开始|You are in/.test(content.text));
  await stage.ask('hello', /at your service/, stage.bo, bo);
  await stage.ask(`/pair ${code}`, /No such code/);
});

test('nobody lets themselves in, and only admins let others in', async (t) => {
  const { stage, bo } = await play(t);
  const code = await askedForCode(stage, bo);
  stage.telegram.people.say(stage.bo, bo, `/pair ${code}`);
  await stage.ask('hello', /at your service/);
  assert.deepEqual(stage.said(bo).length, 1);
});

test('the owner sees who asks, lets in, and shuts out again', async (t) => {
  const { stage, antler, bo } = await play(t);
  const api = async (path: string, method = 'GET') => {
    const response = await fetch(new URL(`/api/v1/operations/pairing${path}`, antler.url ?? ''), {
      method,
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const code = await askedForCode(stage, bo);
  const { requests } = (await api('')).body as { requests: { code: string; user: string }[] };
  assert.deepEqual(
    requests.map((one) => [one.code, one.user]),
    [[code.replace('-', ''), String(stage.bo.id)]],
  );
  assert.equal((await api('/ABCDEFGH/approve', 'POST')).status, 404);
  assert.equal((await api(`/${code}/approve`, 'POST')).status, 200);
  await stage.ask('hello', /at your service/, stage.bo, bo);
  assert.equal((await api(`/admitted/telegram/${stage.bo.id}`, 'DELETE')).status, 200);
  const before = stage.model.requests.length;
  stage.telegram.people.say(stage.bo, bo, 'still there?');
  await stage.ask('hello', /at your service/);
  assert.equal(stage.model.requests.length, before + 1);
});
