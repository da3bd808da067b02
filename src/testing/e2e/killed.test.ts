import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ModelSimulator, type Step, startModel, text } from '../../simulator/model/index.ts';
import { shownText, startSlack } from '../../simulator/slack/index.ts';
import { startWecom } from '../../simulator/wecom/index.ts';
import { postgresForTests, startRedis } from '../services.ts';
import { environmentFor } from './antler.ts';
import { startProcess } from './process.ts';

/** A platform as one person sees it who writes to the bot. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  say(words: string): void;
  /** What the bot has said, oldest first, as it stands now. */
  said(): readonly string[];
  /** Resolves when the bot shows something like this. */
  shows(expected: RegExp): Promise<unknown>;
}

/** Lease, take-over of the connection and a new run, on a machine that is busy with other things. */
const PATIENCE_MS = 30_000;

const places: Readonly<Record<string, (t: TestContext) => Promise<Place>>> = {
  slack: async (t) => {
    const slack = await startSlack({ limits: { retryDelaysMs: [200, 400, 800] } });
    t.after(() => slack.stop());
    const app = slack.addApp({ name: 'antler', commands: ['/antler'] });
    const ann = slack.addUser({ name: 'ann', displayName: 'Ann' });
    const dm = slack.openDm(ann, app);
    return {
      env: {
        SLACK_BOT_TOKEN: app.botToken,
        SLACK_APP_TOKEN: app.appToken,
        SLACK_SIGNING_SECRET: app.signingSecret,
        SLACK_TRANSPORT: 'socket',
        SLACK_API_ROOT: slack.url,
      },
      say: (words) => void slack.people.say(ann, dm, words),
      said: () =>
        slack
          .visible(dm)
          .filter((message) => message.app === app)
          .map(shownText),
      shows: (expected) =>
        slack.waitFor(dm, (message) => message.app === app && expected.test(shownText(message)), PATIENCE_MS),
    };
  },
  wecom: async (t) => {
    const wecom = await startWecom({ limits: { retryMs: [200, 400, 800], pollMs: 50 } });
    t.after(() => wecom.stop());
    const bot = wecom.addBot('Antler');
    const ann = wecom.addPerson('Ann', 'ann');
    const dm = wecom.openDirectChat(ann, bot);
    return {
      env: {
        WECOM_BOT_ID: bot.id,
        WECOM_BOT_SECRET: bot.secret,
        WECOM_API_ROOT: wecom.url,
        WECOM_WS_URL: wecom.wsUrl,
      },
      say: (words) => void wecom.people.say(ann, dm, words),
      said: () => wecom.visible(dm).flatMap((message) => (message.fromBot ? [message.text] : [])),
      shows: (expected) => wecom.waitFor(dm, ({ fromBot, text: now }) => fromBot && expected.test(now), PATIENCE_MS),
    };
  },
};

/** Shown in part, and then silence. */
const halfAnswer: Step = { parts: [{ kind: 'text', text: 'Half of the answer' }, { kind: 'hang' }] };

async function setModel(t: TestContext): Promise<{ readonly model: ModelSimulator; readonly folder: string }> {
  const model = await startModel();
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await model.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { model, folder };
}

for (const [name, open] of Object.entries(places)) {
  test(`${name}: worker and gateway are killed in an answer: others give it, once, and go on`, async (t) => {
    const [place, { model, folder }, redis, postgres] = await Promise.all([
      open(t),
      setModel(t),
      startRedis(),
      postgresForTests(),
    ]);
    t.after(() => Promise.all([redis.stop(), postgres.stop()]));
    const servers = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
    const stage = { folder, env: { ...place.env, ...environmentFor(model, folder), ...servers } };
    const gateway = await startProcess(t, stage, 'gateway');
    const worker = await startProcess(t, stage, 'worker');
    model.script(halfAnswer, text('The whole answer.'), text('Answer two.'));
    place.say('question 1');
    await place.shows(/Half of the answer/);
    await Promise.all([startProcess(t, stage, 'gateway'), startProcess(t, stage, 'worker')]);
    const killedAt = performance.now();
    await Promise.all([gateway.kill('SIGKILL'), worker.kill('SIGKILL')]);
    await place.shows(/^The whole answer\.$/);
    t.diagnostic(`answered ${Math.round(performance.now() - killedAt)} ms after the kill`);
    place.say('question 2');
    await place.shows(/^Answer two\.$/);
    const whole = place.said().filter((shown) => !shown.startsWith('Half of'));
    assert.deepEqual(whole, ['The whole answer.', 'Answer two.'], JSON.stringify(place.said()));
    assert.equal(model.requests.length, 3);
  });
}
