import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startModel, text } from '../../simulator/model/index.ts';
import { type Chat, isRoom, startWechaty } from '../../simulator/wechat/wechaty/index.ts';
import { configFor, environmentFor, startHere } from './antler.ts';

/** A WeChat that wechaty plays an account in, a scripted model, two people, and an Antler between them. */
async function setStage(t: TestContext) {
  const [wechat, model] = await Promise.all([startWechaty(), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([wechat.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const ann = wechat.addContact('Ann');
  const bo = wechat.addContact('小波');
  const room = wechat.addRoom({ topic: 'Team', members: [ann, bo] });
  const settings = `
channels:
  wechat:
    transport: wechaty
    puppet_options: { token: $WECHAT_PUPPET_TOKEN, endpoint: "${wechat.endpoint}", tls: false }
`;
  writeFileSync(join(folder, 'config.yaml'), settings);
  const env = {
    WECHAT_PUPPET_TOKEN: wechat.token,
    ...environmentFor(model, folder),
  };
  await startHere(t, configFor(env, folder));
  // What is said before the puppet is connected is heard by nobody, as with a phone that is off.
  await wechat.calls.waitFor('start', 1, 15_000);
  /** What the bot has said in a chat, oldest first. */
  const said = (chat: Chat): string[] =>
    wechat.visible(chat).flatMap((message) => (message.from === wechat.account ? [message.text] : []));
  const answer = (chat: Chat, expected: RegExp) =>
    wechat.waitFor(chat, (message) => message.from === wechat.account && expected.test(message.text), 15_000);
  const ask = async (words: string, expected: RegExp, who = ann, chat: Chat = who) => {
    wechat.people.say(who, chat, words, isRoom(chat) ? { mention: [wechat.account] } : {});
    return answer(chat, expected);
  };
  return { wechat, model, ann, bo, room, said, answer, ask };
}

test('the bot answers, in a room only who calls it, and once whatever is delivered twice', async (t) => {
  const { wechat, model, ann, bo, room, said, answer, ask } = await setStage(t);
  model.handle((request) => text(`seen ${JSON.stringify(request.messages).includes('lunch') ? 'all' : 'mine'}`));
  await ask('Hi', /^seen mine$/);
  wechat.people.say(bo, room, 'who wants lunch?');
  await ask(`${wechat.people.at(wechat.account, room)}hello`, /^seen mine$/, ann, room);
  const last = wechat.people.say(bo, bo, 'once');
  await answer(bo, /^seen mine$/);
  wechat.people.repeat(last);
  await ask('/status', /lead/, bo);
  assert.deepEqual(said(room), ['seen mine']);
  assert.deepEqual(said(bo).filter((words) => words === 'seen mine').length, 1);
});

test('an answer that cannot be sent while the puppet is away is sent when it is back', async (t) => {
  const { wechat, model, ann, said, answer } = await setStage(t);
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  model.handle(async () => {
    asked.resolve();
    await goOn.promise;
    return text('here I am');
  });
  wechat.people.say(ann, ann, 'where are you?');
  await asked.promise;
  await wechat.kill();
  goOn.resolve();
  await wechat.revive();
  await answer(ann, /^here I am$/);
  assert.deepEqual(said(ann), ['here I am']);
});
