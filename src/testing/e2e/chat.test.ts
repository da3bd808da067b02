import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownerApi } from '../../app/owner-api.ts';
import { webSession } from '../../app/terminal.ts';
import type { BusyPolicy } from '../../channel/busy.ts';
import { type Step, text, tools } from '../../simulator/model/index.ts';
import { runCommand, startProcess } from './process.ts';
import { configOf, type Ground, playAntler, type Stage, setStage } from './stage.ts';

/** A running Antler with a page, on which something is said, and a terminal. */
async function playChat(t: TestContext, ground: Ground, busy: BusyPolicy = 'collect') {
  const stage = await setStage(t, ground);
  const file = join(stage.folder, 'config.yaml');
  writeFileSync(file, `channels: { web: { busy: ${busy}, burst: { wait_busy_ms: 50 } } }\n`);
  const { url } = await playAntler(t, stage, configOf(stage, { ANTLER_CONFIG: file, TELEGRAM_BOT_TOKEN: '' }));
  const api = ownerApi(url ?? '', undefined);
  return {
    stage,
    session: webSession(api, 200),
    sayOnPage: (id: string, words: string) =>
      api.ask('/api/v1/chat/messages', { method: 'POST', body: JSON.stringify({ id, text: words }) }),
  };
}

const slow = (words: string, ms: number): Step => ({
  parts: [
    { kind: 'text', text: words },
    { kind: 'wait', ms },
    { kind: 'text', text: '.' },
  ],
});

async function answer(chat: { session: ReturnType<typeof webSession> }, words: string): Promise<string> {
  let whole = '';
  for await (const piece of chat.session.say(words)) {
    if ('append' in piece) whole += piece.append;
    else if ('replace' in piece) whole = piece.replace;
  }
  return whole;
}

const asked = (stage: Stage): Promise<unknown> => stage.model.waitForRequests(1);

for (const ground of ['embedded', 'servers'] as const)
  test(`the terminal prints the answer to its own message while the page gets another (${ground})`, async (t) => {
    const chat = await playChat(t, ground);
    chat.stage.model.script(slow('for the page', 400), text('for the terminal'));
    await chat.sayOnPage('page-message-1', 'tell me a story');
    await asked(chat.stage);
    assert.equal(await answer(chat, 'hi'), 'for the terminal');
    assert.match(await answer(chat, '/whoami'), /^Owner, id owner/);
  });

test('what a running answer takes up is answered by it in the terminal, too', async (t) => {
  const chat = await playChat(t, 'embedded', 'steer');
  const calling = tools(['calculator', { expression: '1+1' }]);
  chat.stage.model.script(
    { parts: [{ kind: 'wait', ms: 400 }, ...('parts' in calling ? calling.parts : [])] },
    text('to both'),
  );
  await chat.sayOnPage('page-message-1', 'first');
  await asked(chat.stage);
  assert.equal(await answer(chat, 'second'), 'to both');
});

test('a message whose conversation was left before it was answered does not keep the terminal waiting', async (t) => {
  const chat = await playChat(t, 'embedded');
  chat.stage.model.script({ parts: [{ kind: 'wait', ms: 60_000 }] });
  const waiting = assert.rejects(answer(chat, 'hi'), /something newer took its place/);
  await asked(chat.stage);
  await chat.sayOnPage('page-message-1', '/new');
  await waiting;
});

test('antler chat in a pipe says on standard error whom it talks to, and prints nothing but the answer', async (t) => {
  const stage = await setStage(t);
  const { url, kill } = await startProcess(t, stage, 'start');
  stage.model.script(text('of the running one'), text('of its own'));
  const here = ['chat', '--port', new URL(url).port];
  const running = await runCommand(stage, here, 'hi\n');
  assert.deepEqual([running.code, running.stdout], [0, 'of the running one\n']);
  assert.equal(running.stderr, `Talking to the Antler that runs at ${url}.\n`);
  await kill('SIGTERM');
  const own = await runCommand(stage, here, 'hi\n');
  assert.deepEqual([own.code, own.stdout], [0, 'of its own\n']);
  assert.match(own.stderr, /^No Antler answers at .+: this chat runs one of its own \(data in .+\)\.\n$/);
});
