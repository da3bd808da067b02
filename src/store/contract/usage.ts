import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imUserKey, newRunId } from '../../base/ids.ts';
import { outputOfProgram } from '../../testing/program.ts';
import type { Counter, Entrance, Standing } from '../port.ts';
import { atOnce, type Pair, type StorePlace } from './fixture.ts';

const windows = { hour: 3_600_000, day: 0 };
const AT = 4_000_000;
const UNTIL = AT + 30_000;
const one = { inputTokens: 1, outputTokens: 0 };

const user = (): Counter => ({
  kind: 'user',
  id: imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() }),
});

const entrance = (counters: readonly Counter[], more: Partial<Entrance> = {}): Entrance => ({
  turn: `${newRunId()}:1`,
  holder: newRunId(),
  counters,
  slots: counters,
  windows,
  at: AT,
  until: UNTIL,
  ...more,
});

const tokensOf = ({ tokens }: Standing): number =>
  Object.values(tokens).reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);

export function usageContract(pair: () => Pair, place: () => StorePlace): void {
  describe('usage', () => {
    const standingOf = async (counter: Counter, at = AT): Promise<Standing> => {
      const [standing] = await pair().store.usage.standings([counter], windows, at);
      assert.ok(standing !== undefined);
      return standing;
    };

    test('of many runs that begin at once, no more are let in than there is room for', async () => {
      const { store } = pair();
      const [one, other] = [user(), user()];
      const entered = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          store.usage.enter(entrance(n % 2 === 0 ? [one, other] : [other, one]), (all) =>
            all.every(({ running, runsThisHour }) => running < 3 && runsThisHour < 5),
          ),
        ),
      );
      assert.equal(entered.filter(Boolean).length, 3);
      const { running, runsThisHour, runsToday } = await standingOf(one);
      assert.deepEqual([running, runsThisHour, runsToday], [3, 3, 3]);
    });

    test('a turn counts once, however often it runs, and takes over the slots of its former run', async () => {
      const { store, second } = pair();
      const counter = user();
      const first = entrance([counter]);
      const again = { ...first, holder: newRunId(), until: UNTIL + 1 };
      assert.ok(await store.usage.enter(first, (_, counted) => !counted));
      assert.ok(await second.usage.enter(again, ([standing], counted) => counted && standing?.running === 0));
      await store.usage.leave(first.holder); // the former run comes late
      const { running, runsThisHour } = await standingOf(counter);
      assert.deepEqual([running, runsThisHour], [1, 1]);
      await second.usage.leave(again.holder);
      assert.equal((await standingOf(counter)).running, 0);
    });

    test("a person's other accounts are looked at, and not counted", async () => {
      const { store } = pair();
      const [speaking, other] = [user(), user()];
      await store.usage.enter(entrance([other]), () => true);
      const asked = entrance([speaking], { beside: [other] });
      const seen: number[] = [];
      await store.usage.enter(asked, (all) => seen.push(...all.map(({ runsThisHour }) => runsThisHour)) > 0);
      assert.deepEqual(seen, [0, 1]);
      assert.deepEqual([(await standingOf(speaking)).running, (await standingOf(other)).runsThisHour], [1, 1]);
    });

    test('who is not let in leaves no trace', async () => {
      const { store } = pair();
      const counter = user();
      const asked = entrance([counter]);
      assert.equal(await store.usage.enter(asked, () => false), false);
      const { running, runsThisHour, runsToday } = await standingOf(counter);
      assert.deepEqual([running, runsThisHour, runsToday], [0, 0, 0]);
      assert.ok(await store.usage.enter(asked, (_, counted) => !counted));
    });

    test('a slot that nobody renews is free again, a renewed one is not', async () => {
      const { store } = pair();
      const counter = user();
      const [dead, alive] = [entrance([counter]), entrance([counter])];
      await store.usage.enter(dead, () => true);
      await store.usage.enter(alive, () => true);
      await store.usage.renew([alive.holder], UNTIL + 30_000);
      assert.equal((await standingOf(counter, UNTIL)).running, 1);
      assert.equal((await standingOf(counter, UNTIL + 30_000)).running, 0);
    });

    test('tokens of a run are told as a whole, again and again, and count once', async () => {
      const { store, second } = pair();
      const [one, other] = [user(), { kind: 'chat', id: `c/${newRunId()}\0` } as const];
      const { turn, holder } = entrance([]);
      const spent = { turn, holder, counters: [one, other], windows, at: AT };
      await store.usage.spend({ ...spent, tokens: { main: { inputTokens: 10, outputTokens: 1 } } });
      const more = {
        main: { inputTokens: 30, outputTokens: 2 },
        small: { inputTokens: 5, outputTokens: 0 },
      };
      await second.usage.spend({ ...spent, tokens: more });
      await store.usage.spend({ ...spent, tokens: more });
      await store.usage.spend({ ...spent, holder: newRunId(), tokens: { main: { inputTokens: 3, outputTokens: 1 } } });
      for (const counter of [one, other]) {
        const { tokens, runsThisHour, runsToday } = await standingOf(counter);
        assert.deepEqual(
          { ...tokens },
          { main: { inputTokens: 33, outputTokens: 3 }, small: { inputTokens: 5, outputTokens: 0 } },
        );
        assert.deepEqual([runsThisHour, runsToday], [1, 1]);
      }
    });

    test('processes lose no count of each other, and let in no more than there is room for', async () => {
      const counter = { kind: 'channel', id: newRunId() } as const;
      const outputs = await Promise.all([1, 2, 3].map(() => playInProcess(place(), counter, 20)));
      const entered = outputs.reduce((sum, output) => sum + Number(output), 0);
      assert.equal(entered, 7);
      const standing = await standingOf(counter);
      assert.deepEqual([tokensOf(standing), standing.running], [3 * 20 * 7, 7]);
      assert.deepEqual([standing.runsThisHour, standing.runsToday], [3 * 20 + 7, 3 * 20 + 7]);
    });

    test('runs that begin, spend and end at once on the same counters do not lock each other out', async () => {
      const { store } = pair();
      const counters = Array.from({ length: 4 }, user);
      const turned = (n: number): Counter[] => counters.map((_, i) => counters[(i * 3 + n) % 4] ?? user());
      await Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const asked = entrance(turned(n));
          await store.usage.enter(asked, () => true);
          const { turn, holder, at } = asked;
          const about = { turn, holder, at, windows, counters: turned(n + 1) };
          await store.usage.spend({ ...about, tokens: { main: { inputTokens: 1, outputTokens: 0 } } });
          await store.usage.renew([holder], UNTIL + 1);
          await store.usage.spend({ ...about, tokens: { main: { inputTokens: 1, outputTokens: 1 }, small: one } });
          await store.usage.leave(holder);
        }),
      );
      for (const counter of counters) {
        const standing = await standingOf(counter);
        assert.deepEqual([tokensOf(standing), standing.runsToday, standing.running], [40 * 3, 40, 0]);
      }
    });

    test('who has used most comes first, a person with all their accounts', async () => {
      const { store } = pair();
      const day = 86_400_000;
      const keys = [1, 2].map((n) => imUserKey({ channelType: 'telegram', tenant: '', user: `${newRunId()}-${n}` }));
      const [first, second] = keys;
      assert.ok(first !== undefined && second !== undefined);
      const see = (key: typeof first) => store.imUsers.see({ key, name: 'Ann', isBot: false, language: null }, 1);
      const [one, other] = [await see(first), await see(second)];
      await store.persons.merge(other.person, one.person);
      const assistant = { kind: 'assistant', id: newRunId() } as const;
      const spend = (counters: readonly Counter[], inputTokens: number) =>
        store.usage.spend({
          ...{ turn: newRunId(), holder: newRunId(), counters, windows: { hour: day, day }, at: day },
          tokens: { main: { inputTokens, outputTokens: 0 } },
        });
      await spend([{ kind: 'user', id: first }], 40);
      await spend([{ kind: 'user', id: second }], 40);
      await spend([assistant], 60);
      assert.deepEqual(await store.usage.most(day, 10), [{ kind: 'user', id: one.person }, assistant]);
      assert.equal((await store.usage.most(day, 1)).length, 1);
    });

    test('one turn tells people of a topic, and tells it again when it runs again', async () => {
      const { store, second } = pair();
      const topic = newRunId();
      const told = await atOnce(pair(), 6, ({ usage }, n) => usage.tells(topic, 0, `turn ${n}`));
      assert.equal(told.filter(Boolean).length, 1);
      const winner = `turn ${told.indexOf(true)}`;
      assert.equal(await second.usage.tells(topic, 0, winner), true);
      assert.equal(await store.usage.tells(topic, 1, 'later'), true);
    });

    test('old windows are deleted, the others stay', async () => {
      const { store } = pair();
      const counter = user();
      const spend = (day: number) =>
        store.usage.spend({
          ...{ turn: newRunId(), holder: newRunId(), counters: [counter], windows: { hour: day, day }, at: day },
          tokens: { main: { inputTokens: 1, outputTokens: 1 } },
        });
      await spend(-2_000);
      await spend(-1_000);
      assert.equal(await store.usage.deleteBefore({ days: -1_000, rest: -1_500 }), 3);
      const [old, kept] = await Promise.all(
        [-2_000, -1_000].map((day) => store.usage.standings([counter], { hour: day, day }, 0)),
      );
      assert.deepEqual([old?.[0]?.runsToday, kept?.[0]?.runsToday, kept?.[0]?.runsThisHour], [0, 1, 1]);
    });
  });
}

/** In a process of its own: spends 7 tokens so often, and asks as often for one of 7 slots; says how many it got. */
function playInProcess(place: StorePlace, counter: Counter, times: number): Promise<string> {
  return outputOfProgram(`
    const { openStore } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    const { silentLogger } = await import(${JSON.stringify(new URL('../../base/logger.ts', import.meta.url).href)});
    const { usage, close } = await openStore({ ...${JSON.stringify(place)}, log: silentLogger });
    const counters = [${JSON.stringify(counter)}];
    const about = { counters, windows: ${JSON.stringify(windows)}, at: ${AT} };
    let entered = 0;
    await Promise.all(Array.from({ length: ${times} }, async (_, n) => {
      const id = process.pid + '-' + n;
      const tokens = { main: { inputTokens: 4, outputTokens: 3 } };
      await usage.spend({ ...about, turn: 's' + id, holder: 'r' + id, tokens });
      const asked = { ...about, turn: 'e' + id, holder: 'h' + id, slots: counters, until: ${UNTIL} };
      if (await usage.enter(asked, ([standing]) => standing.running < 7)) entered++;
    }));
    console.log(entered);
    await close();`);
}
