import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { UsageView } from '../../admin/operator.ts';
import { silentLogger } from '../../base/logger.ts';
import { until } from '../../bus/contract/kit.ts';
import { budgetsSchema } from '../../config/schema/budgets.ts';
import type { Config } from '../../config/schema/config.ts';
import { type Step, text, tools } from '../../simulator/model/index.ts';
import { openStore } from '../../store/index.ts';
import { runCommand, startProcess } from './process.ts';
import { configOf, playAntler, type Stage, setStage } from './stage.ts';

const DAY_MS = 86_400_000;

/** A zone in which midnight is hours away, whenever the test runs. */
const timeZone = new Date().getUTCHours() < 20 ? 'UTC' : 'Asia/Shanghai';

const withBudgets = (stage: Stage, budgets: object): Config => ({
  ...configOf(stage),
  budgets: budgetsSchema.parse({ time_zone: timeZone, ...budgets }),
});

/** An answer whose model call takes so many tokens. */
const costing = (tokens: number, step: Step): Step => ({
  ...step,
  usage: { prompt_tokens: tokens - 1, completion_tokens: 1, total_tokens: tokens },
});

/** What `GET /api/v1/operations/usage` says. */
async function used(url: string | null): Promise<UsageView['consumers']> {
  const response = await fetch(new URL('/api/v1/operations/usage', url ?? ''));
  assert.equal(response.status, 200);
  return ((await response.json()) as UsageView).consumers;
}

/** Makes all that was counted a day old. */
function aDayLater({ folder }: Stage): void {
  const database = new DatabaseSync(join(folder, 'antler.db'));
  database.exec(`update usage set start = start - ${DAY_MS}; update usage_notices set start = start - ${DAY_MS}`);
  database.close();
}

test("a person's tokens for the day: told near the end, stopped at the end, and going on the next day", async (t) => {
  const stage = await setStage(t);
  const { model, bo, bot, telegram } = stage;
  const antler = await playAntler(t, stage, withBudgets(stage, { person: { tokens_per_day: 1_000 } }));
  model.script(costing(850, text('first answer')), costing(250, text('second answer')), text("bo's answer"));
  await stage.ask('one', /first answer[\s\S]*80 % of the tokens for today.*your limit is 1,000 a day/);
  await stage.ask('two', /^second answer$/);
  await stage.ask('three', /^The tokens for today are used up: your limit is 1,000 a day\. I go on at \d\d:\d\d/);
  await stage.ask('四', /^bo's answer/, bo, telegram.openPrivateChat(bo, bot));
  assert.equal(model.requests.length, 3, 'the model was not asked beyond the limit');
  const mine = (await used(antler.url)).find(({ scope, name }) => scope === 'person' && name === 'Ann');
  assert.deepEqual([mine?.day.used, mine?.day.limit, mine?.day.runs], [1_100, 1_000, 2]);

  aDayLater(stage);
  model.script(costing(10, text('a new day')));
  await stage.ask('four', /^a new day$/);
});

test('a group at its limit is told once, and what sub-agents use counts', async (t) => {
  const stage = await setStage(t);
  const { model, ann, bo, bot, telegram } = stage;
  const group = telegram.addGroup({ title: 'Team', kind: 'group', members: [ann, bo, bot] });
  const config = withBudgets(stage, { chat: { tokens_per_day: 300 } });
  const channel = config.channels.telegram;
  assert.ok(channel !== undefined);
  const access = { ...channel.access, groups: 'open' as const };
  const antler = await playAntler(t, stage, {
    ...config,
    channels: { ...config.channels, telegram: { ...channel, access } },
  });
  model.script(
    costing(100, tools(['task', { description: 'Look', prompt: 'Look it up.' }])),
    costing(100, text('the report')),
    costing(100, text('here it is')),
  );
  await stage.ask('@antler_bot look it up', /^here it is/, ann, group);
  const ours = (await used(antler.url)).find(({ scope }) => scope === 'chat');
  assert.deepEqual([ours?.day.used, ours?.day.runs], [300, 1]);
  await stage.ask('@antler_bot and this', /tokens for today are used up: this chat's limit is 300/, ann, group);
  telegram.people.say(bo, group, '@antler_bot 再来一次');
  model.script(costing(10, text('in private')));
  await stage.ask('here?', /^in private$/);
  assert.deepEqual(stage.said(group).length, 2, stage.said(group).join('\n'));
});

test('a worker that is killed with the only slot: its turn goes on elsewhere, counts once, and the slot is free again', async (t) => {
  const stage = await setStage(t, 'servers');
  const { model, bo, bot, telegram } = stage;
  const boDm = telegram.openPrivateChat(bo, bot);
  writeFileSync(
    join(stage.folder, 'config.yaml'),
    `budgets: { channel: { concurrent_runs: 1 }, assistant: { runs_per_hour: 1000 }, time_zone: ${timeZone} }\n`,
  );
  const gateway = await startProcess(t, stage, 'gateway');
  const first = await startProcess(t, stage, 'worker');
  model.script({ parts: [{ kind: 'hang' }] });
  telegram.people.say(stage.ann, stage.dm, 'one');
  await model.waitForRequests(1, 20_000);
  await startProcess(t, stage, 'worker');
  await stage.ask('二', /同时处理的内容太多/, bo, boDm);

  model.script(text('after all'), text("bo's answer"));
  await first.kill('SIGKILL');
  await telegram.waitFor(stage.dm, ({ content }) => content.text === 'after all', 20_000);
  await stage.ask('三', /^bo's answer$/, bo, boDm);

  const store = await openStore({ url: stage.env.DATABASE_URL ?? '', log: silentLogger });
  t.after(() => store.close());
  const { stdout, stderr } = await runCommand(stage, ['usage', '--json', '--port', new URL(gateway.url).port]);
  const { consumers }: UsageView = JSON.parse(stdout || stderr);
  const channel = consumers.find(({ scope }) => scope === 'channel');
  assert.deepEqual([channel?.day.runs, channel?.now], [2, { used: 0, limit: 1 }]);
  await until('nothing is left of the slots', async () => {
    const counter = { kind: 'channel', id: 'telegram' } as const;
    const [standing] = await store.usage.standings([counter], { hour: 0, day: 0 }, 0);
    return standing?.running === 0;
  });
});
