import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Config } from '../../config/schema/config.ts';
import { startModel } from '../../simulator/model/index.ts';
import { type Channel, type Message, type SlackSimulator, shownText, startSlack } from '../../simulator/slack/index.ts';
import { configFor, environmentFor, startHere } from './antler.ts';

/** What is otherwise in the configuration. */
type Adjust = (config: Config, slack: SlackSimulator) => Config;

/** A Slack, a scripted model, two people, and an Antler between them. */
export async function setStage(
  t: TestContext,
  transport: 'socket' | 'http' = 'socket',
  adjust: Adjust = (config) => config,
) {
  const [slack, model] = await Promise.all([
    startSlack({ rates: true, limits: { retryDelaysMs: [200, 400, 800] } }),
    startModel(),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([slack.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const app = slack.addApp({ name: 'antler', commands: ['/antler'] });
  const ann = slack.addUser({ name: 'ann', displayName: 'Ann' });
  const bo = slack.addUser({ name: 'bo', displayName: '小波', locale: 'zh-CN' });
  const dm = slack.openDm(ann, app);
  const channel = slack.addChannel({ name: 'team', members: [ann, bo, app.user] });
  const env = {
    SLACK_BOT_TOKEN: app.botToken,
    SLACK_APP_TOKEN: app.appToken,
    SLACK_SIGNING_SECRET: app.signingSecret,
    SLACK_TRANSPORT: transport,
    SLACK_API_ROOT: slack.url,
    ...environmentFor(model, folder),
  };
  const antler = await startHere(t, adjust(configFor(env, folder), slack));
  const webhook = `${antler.url}/webhooks/slack`;
  if (transport === 'http') assert.ok(await slack.setRequestUrl(app, webhook));
  const isBots = (message: Message): boolean => message.app === app;
  /** What the bot has said in a channel and its threads, oldest first. */
  const said = (where: Channel): string[] => slack.visible(where).filter(isBots).map(shownText);
  const answer = (question: Message, expected: RegExp): Promise<Message> =>
    slack.waitFor(
      question.channel,
      (message) => isBots(message) && message.ts > question.ts && expected.test(shownText(message)),
      10_000,
    );
  const ask = (words: string, expected: RegExp, who = ann, where = dm): Promise<Message> =>
    answer(slack.people.say(who, where, words), expected);
  return { slack, model, app, ann, bo, dm, channel, webhook, said, ask, answer };
}
