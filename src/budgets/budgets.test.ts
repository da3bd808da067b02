import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type ImUserKey, imUserKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import { until } from '../bus/contract/kit.ts';
import { openStore } from '../store/index.ts';
import { createBudgets } from './index.ts';
import type { BudgetPolicy, Budgets, Prices, Request } from './port.ts';
import { policyWith, StandingClock } from './testing/kit.ts';

const NOON = Date.parse('2026-03-04T12:00:00Z');
const HOUR_MS = 3_600_000;
const userOf = (user: string): ImUserKey => imUserKey({ channelType: 'telegram', tenant: '', user });
const ann = userOf('7');

const prices: Prices = new Map([['main', { inputPerMillion: 2, outputPerMillion: 10, currency: 'USD' }]]);

async function stage(t: TestContext, policy: BudgetPolicy) {
  const folder = mkdtempSync(join(tmpdir(), 'antler-budgets-'));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  const clock = new StandingClock(NOON);
  const started: Budgets[] = [];
  /** Budgets as another process has them. */
  const replica = (): Budgets => {
    const budgets = createBudgets({ store, policy, prices, log: silentLogger, clock });
    started.push(budgets);
    return budgets;
  };
  t.after(async () => {
    await Promise.all(started.map((one) => one.stop()));
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const budgets = replica();
  let turns = 0;
  const request = (more: Partial<Request> = {}): Request => ({
    turn: `t:${++turns}`,
    user: ann,
    role: 'member',
    channel: 'telegram',
    chat: '-100',
    chatKind: 'dm',
    assistant: 'lead',
    language: 'en',
    timeZone: 'UTC',
    ...more,
  });
  /** A whole run that uses so many tokens; what was said, or null for one that was not stopped and heard nothing. */
  async function run(tokens = 0, more: Partial<Request> = {}, on = budgets): Promise<string | null> {
    const verdict = await on.admit(request(more));
    if (verdict.kind === 'stop') return verdict.text ?? '(nothing)';
    await using meter = verdict.meter;
    if (tokens > 0) meter.spend({ model: 'main', inputTokens: tokens, outputTokens: 0 });
    return (await meter.end()).join('\n') || null;
  }
  return { store, clock, budgets, replica, request, run };
}

test('at the limit of an hour people read which one it is and when it ends, and the next hour goes on', async (t) => {
  const { clock, run } = await stage(t, policyWith({ person: { runsPerHour: 2 } }));
  assert.equal(await run(), null);
  assert.match((await run()) ?? '', /80 % of the answers for this hour.*your limit is 2 an hour.*13:00 UTC/);
  assert.equal(await run(), 'No more answers in this hour: your limit is 2 an hour. I go on at 13:00 UTC.');
  assert.match((await run(0, { language: 'zh', timeZone: 'Asia/Shanghai' })) ?? '', /每小时 2 次，.*21:00/);
  clock.to(NOON + HOUR_MS);
  assert.equal(await run(), null);
});

test('what is left of the day caps the run, 80 % are told once, and midnight gives all of it back', async (t) => {
  const { clock, budgets, request, run } = await stage(t, policyWith({ chat: { tokensPerDay: 1_000 } }));
  const left = async (): Promise<number | undefined> => {
    const verdict = await budgets.admit(request());
    assert.ok(verdict.kind === 'go');
    await verdict.meter[Symbol.asyncDispose]();
    return verdict.meter.maxTokens;
  };
  assert.equal(await left(), 1_000);
  assert.equal(await run(799), null);
  assert.match((await run(1)) ?? '', /80 %.*this chat's limit is 1,000 a day.*00:00 UTC/);
  assert.equal(await left(), 200);
  assert.equal(await run(50), null, 'it was told already');
  assert.equal(await run(400), null, 'what a run uses beyond its cap is counted');
  assert.match((await run()) ?? '', /tokens for today are used up: this chat's limit is 1,000 a day.*00:00 UTC/);
  clock.to(Date.parse('2026-03-05T00:00:00Z'));
  assert.equal(await left(), 1_000);
});

test('a group is told once a window and limit, and again by the turn that told it when that runs again', async (t) => {
  const { clock, run } = await stage(t, policyWith({ person: { runsPerHour: 1 } }));
  const group = { chatKind: 'group' } as const;
  await run(0, group);
  assert.match((await run(0, { ...group, turn: 'told' })) ?? '', /No more.*your limit is 1 an hour/);
  assert.equal(await run(0, group), '(nothing)');
  assert.match((await run(0, { ...group, turn: 'told' })) ?? '', /No more.*your limit/);
  assert.match((await run(0, { ...group, chat: '-200' })) ?? '', /No more.*your limit/, 'another group was not told');
  const bo = { ...group, user: userOf('8') };
  await run(0, bo);
  assert.match((await run(0, bo)) ?? '', /No more.*your limit/, 'it was told of another person');
  clock.to(NOON + HOUR_MS);
  await run(0, group);
  assert.match((await run(0, group)) ?? '', /No more.*your limit/);
});

test('a turn that is taken over or tried again counts once, and is not stopped by its own count', async (t) => {
  const { budgets, replica, run, request } = await stage(
    t,
    policyWith({ person: { runsPerHour: 1, concurrentRuns: 1 } }),
  );
  const asked = request();
  const first = await budgets.admit(asked);
  assert.ok(first.kind === 'go');
  first.meter.spend({ model: 'main', inputTokens: 10, outputTokens: 0 });
  // The first process is gone without a word; another has the turn.
  const other = replica();
  assert.notEqual(await run(5, asked, other), '(nothing)');
  await first.meter[Symbol.asyncDispose]();
  const [line] = (await budgets.report(10)).filter(({ scope }) => scope === 'person');
  assert.deepEqual([line?.hour.runs, line?.day.runs, line?.day.inputTokens, line?.now?.running], [1, 1, 15, 0]);
  assert.match((await run()) ?? '', /No more.*your limit is 1 an hour/);
});

test('runs at once: a slot is free when its run is over, or its process dead', async (t) => {
  const { budgets, replica, clock, request, run } = await stage(t, policyWith({ person: { concurrentRuns: 2 } }));
  const [one, other] = [await budgets.admit(request()), await replica().admit(request())];
  assert.ok(one.kind === 'go' && other.kind === 'go');
  assert.match((await run()) ?? '', /Too much is being worked on at once: your limit is 2/);
  await one.meter[Symbol.asyncDispose]();
  assert.equal(await run(), null);
  // `other` lives on in its process: its slot is renewed, for as long as it takes.
  const third = await budgets.admit(request());
  assert.ok(third.kind === 'go');
  for (let minute = 0; minute < 20; minute++) {
    const before = clock.now();
    await until('both processes rest', () => clock.sleeping === 2);
    clock.to(before + 10_000);
  }
  assert.match((await run()) ?? '', /at once/);
  await budgets.stop(); // as if killed: nobody renews
  await until('the other rests', () => clock.sleeping === 1);
  clock.to(clock.now() + 10_000);
  await until('the other rests', () => clock.sleeping === 1);
  clock.to(clock.now() + 25_000);
  assert.equal(await run(0, {}, replica()), null);
});

test('one human has one budget, whichever account speaks, and gains nothing by linking and unlinking', async (t) => {
  const { store, run } = await stage(t, policyWith({ person: { tokensPerDay: 100 } }));
  const annAtWork = imUserKey({ channelType: 'slack', tenant: 'T1', user: 'U7' });
  const see = (key: ImUserKey) => store.imUsers.see({ key, name: 'Ann', isBot: false, language: null }, NOON);
  const [one, other] = [await see(ann), await see(annAtWork)];
  const atWork = { user: annAtWork, channel: 'slack', chat: 'C1' };
  await run(60);
  await run(60, atWork);
  assert.equal(await run(1), null);
  await store.persons.merge(other.person, one.person);
  assert.match((await run(0, atWork)) ?? '', /used up: your limit is 100/);
  await store.persons.split(annAtWork);
  await run(50, atWork);
  assert.match((await run(0, atWork)) ?? '', /used up: your limit is 100/);
});

test('who is exempt is counted and never stopped', async (t) => {
  const { budgets, run } = await stage(
    t,
    policyWith({ person: { runsPerHour: 1 }, assistant: { tokensPerDay: 1 }, exempt: ['owner'] }),
  );
  for (let n = 0; n < 3; n++) assert.equal(await run(10, { role: 'owner' }), null);
  const lines = await budgets.report(10);
  assert.deepEqual(lines.map(({ scope }) => scope).toSorted(), ['assistant', 'channel', 'chat', 'person']);
  assert.ok(lines.every(({ day }) => day.inputTokens === 30 && day.runs === 3));
  assert.match((await run(0, { role: 'admin', user: userOf('8') })) ?? '', /this assistant's limit is 1 a day/);
});

test('/usage tells a person of themselves alone, and a group of the group', async (t) => {
  const { budgets, request, run } = await stage(
    t,
    policyWith({ person: { tokensPerDay: 10_000, runsPerHour: 9, concurrentRuns: 2 } }),
  );
  await run(1_500);
  await run(500, { user: userOf('8') });
  const own = await budgets.usageText(request());
  assert.equal(
    own,
    [
      '**You**',
      '',
      '- Today: 1,500 of 10,000 tokens (1,500 in, 0 out), answers: 1; counted afresh from 00:00 UTC on',
      '- This hour: 1 of 9 answers',
      '- At work now: 0 of 2',
      '- Cost today: 0.0030 USD',
    ].join('\n'),
  );
  const group = await budgets.usageText(request({ chatKind: 'group', language: 'zh' }));
  assert.match(group, /这个聊天[\s\S]*2,000 个 token[\s\S]*私聊/);
  assert.doesNotMatch(group, /1,500 个/);
});

test('whatever comes in whatever order, nobody begins more than they may, and every token is counted', async (t) => {
  const limits = { runsPerHour: 3, concurrentRuns: 2, tokensPerDay: 40 } as const;
  const { store } = await stage(t, policyWith({}));
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('begin' as const), who: fc.integer({ min: 0, max: 1 }) }),
      fc.record({ do: fc.constant('spend' as const), run: fc.nat(5), tokens: fc.integer({ min: 1, max: 15 }) }),
      fc.record({ do: fc.constant('end' as const), run: fc.nat(5) }),
      fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 20 }) }),
    ),
    { maxLength: 25 },
  );
  let played = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      played++;
      const clock = new StandingClock(NOON);
      const options = { store, policy: policyWith({ person: limits }), prices, log: silentLogger, clock };
      const budgets = createBudgets(options);
      const users = [0, 1].map((who) => userOf(`${played}-${who}`));
      interface Begun {
        readonly who: number;
        readonly meter: Extract<Awaited<ReturnType<Budgets['admit']>>, { kind: 'go' }>['meter'];
      }
      const open: Begun[] = [];
      const hours = new Map<string, number>();
      const days = new Map<string, number>();
      const inHour = (who: number): string => `${who} ${Math.floor(clock.now() / HOUR_MS)}`;
      const inDay = (who: number): string => `${who} ${Math.floor(clock.now() / (24 * HOUR_MS))}`;
      const add = (counts: Map<string, number>, key: string, more: number) =>
        counts.set(key, (counts.get(key) ?? 0) + more);
      let turns = 0;
      for (const step of history) {
        if (step.do === 'wait') {
          for (const { meter } of open.splice(0)) await meter[Symbol.asyncDispose](); // no run takes hours
          clock.to(clock.now() + step.hours * HOUR_MS);
        } else if (step.do === 'begin') {
          const { who } = step;
          const mayBegin =
            (hours.get(inHour(who)) ?? 0) < limits.runsPerHour &&
            (days.get(inDay(who)) ?? 0) < limits.tokensPerDay &&
            open.filter((one) => one.who === who).length < limits.concurrentRuns;
          const verdict = await budgets.admit({
            ...{ turn: `${played}:${++turns}`, channel: `c${played}`, chat: 'c', chatKind: 'dm', assistant: 'lead' },
            ...{ user: users[who] ?? ann, language: 'en', timeZone: 'UTC' },
          });
          assert.equal(verdict.kind, mayBegin ? 'go' : 'stop');
          if (verdict.kind === 'stop') continue;
          assert.equal(verdict.meter.maxTokens, limits.tokensPerDay - (days.get(inDay(who)) ?? 0));
          add(hours, inHour(who), 1);
          open.push({ who, meter: verdict.meter });
        } else {
          const begun = open[step.run % Math.max(1, open.length)];
          if (begun === undefined) continue;
          if (step.do === 'spend') {
            begun.meter.spend({ model: 'main', inputTokens: step.tokens - 1, outputTokens: 1 });
            await begun.meter.end(); // written down
            add(days, inDay(begun.who), step.tokens);
          } else {
            await begun.meter[Symbol.asyncDispose]();
            open.splice(open.indexOf(begun), 1);
          }
        }
      }
      await Promise.all(open.map(({ meter }) => meter[Symbol.asyncDispose]()));
      await budgets.stop();
    }),
    { numRuns: 40 },
  );
});
