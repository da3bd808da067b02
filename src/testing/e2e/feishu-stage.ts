import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Chat, type FeishuOptions, type Message, startFeishu } from '../../simulator/feishu/index.ts';
import { startModel } from '../../simulator/model/index.ts';
import { configFor, environmentFor, startHere } from './antler.ts';

const ENCRYPT_KEY = 'an-encrypt-key';
const VERIFICATION_TOKEN = 'a-verification-token';

/** A Feishu, a scripted model, two people, and an Antler between them. */
export async function setStage(
  t: TestContext,
  transport: 'websocket' | 'webhook',
  limits: FeishuOptions['limits'] = {},
) {
  const feishu = await startFeishu({ limits: { retryMs: [200, 400, 800], ...limits } });
  const model = await startModel();
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([feishu.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const app = feishu.addApp({ name: 'Antler' });
  const ann = feishu.addUser('Ann');
  const bo = feishu.addUser('小波');
  const dm = feishu.openDirectChat(ann, app);
  const group = feishu.addGroup({ title: 'Team', users: [ann, bo], apps: [app] });
  const env = {
    FEISHU_APP_ID: app.appId,
    FEISHU_APP_SECRET: app.secret,
    FEISHU_DOMAIN: feishu.url,
    FEISHU_TRANSPORT: transport,
    FEISHU_ENCRYPT_KEY: ENCRYPT_KEY,
    FEISHU_VERIFICATION_TOKEN: VERIFICATION_TOKEN,
    ...environmentFor(model, folder),
  };
  const antler = await startHere(t, configFor(env, folder));
  const webhook = `${antler.url}/webhooks/feishu`;
  if (transport === 'webhook') {
    await feishu.setWebhook(app, { url: webhook, encryptKey: ENCRYPT_KEY, verificationToken: VERIFICATION_TOKEN });
  }
  /** What the bot has said in a chat, oldest first. */
  const said = (chat: Chat): string[] =>
    feishu
      .visible(chat)
      .filter(({ from }) => from === app)
      .map((message) => feishu.text(message));
  const ask = async (words: string, expected: RegExp, who = ann, chat = dm): Promise<Message> => {
    const question = feishu.people.say(who, chat, words);
    return feishu.waitFor(
      chat,
      (message) => message.from === app && message.at >= question.at && expected.test(feishu.text(message)),
      10_000,
    );
  };
  return { feishu, model, app, ann, bo, dm, group, webhook, said, ask };
}
