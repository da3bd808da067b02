import { setTimeout as sleep } from 'node:timers/promises';
import { conversationsOf } from './conversations.ts';
import { Crowd } from './crowd.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { dropAnswers, killAtRandom, restartRedis } from './mishaps.ts';
import type { Plan } from './plan.ts';
import { type Platform, startPlatform } from './platform.ts';
import { DeadLetterBox, numbersIn } from './set-aside.ts';
import { judge, type SetAside, type Verdict } from './verdict.ts';

/** What a storm has done and what became of the messages. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly kills: number;
  /** Processes that ended by themselves, as at a start while Redis is away. */
  readonly exits: number;
  readonly redisRestarts: number;
  readonly redelivered: number;
  readonly dropped: number;
  readonly runs: number;
  /** From the first message until the last answer, and until nobody was killed any more. */
  readonly tookMs: number;
  readonly stormMs: number;
  /** From each question to its answer. */
  readonly answeredAfterMs: readonly number[];
  readonly logs: string;
}

/** Answers that are said twice are said again soon after. */
const WATCH_MS = 3_000;
const LOOK_EVERY_MS = 1_000;

export interface Progress {
  readonly asked: number;
  readonly settled: number;
  readonly kills: number;
}

/** Lets a fleet answer a crowd while its processes are killed, and counts on the platform's side. */
export async function storm(plan: Plan, tell: (progress: Progress) => void = () => {}): Promise<Outcome> {
  await using owner = new AsyncDisposableStack();
  const platform = await startPlatform(plan.bots, plan.chats);
  owner.defer(() => platform.stop());
  const fleet = await startFleet(platform.config, plan);
  owner.defer(() => fleet.stop());
  const box = await DeadLetterBox.open(fleet.redis.url);
  owner.defer(() => box.close());
  const seen = watchAnswers(platform);
  owner.defer(seen.end);

  const over = new AbortController();
  const latest = setTimeout(() => over.abort(), plan.stormMs);
  const startedAt = performance.now();
  const crowd = new Crowd(platform, plan, over.signal);
  let setAside: SetAside = { uncertain: new Set(), dead: new Set() };
  const isSettled = (number: number): boolean =>
    seen.at.has(number) || setAside.uncertain.has(number) || setAside.dead.has(number);
  const settled = (): number => {
    let count = seen.at.size;
    for (const number of [...setAside.uncertain, ...setAside.dead]) if (!seen.at.has(number)) count += 1;
    return count;
  };
  const look = async (): Promise<void> => {
    setAside = await box.read().catch(() => setAside); // Redis is away for a moment
    tell({ asked: crowd.askedAt.size, settled: settled(), kills: total(fleet, 'kills') });
  };
  const looking = setInterval(() => void look(), LOOK_EVERY_MS);
  owner.defer(() => clearInterval(looking));

  const drops = dropAnswers(platform, plan);
  const all = plan.chats * plan.messagesPerChat;
  const [restarts, killing] = [
    restartRedis(fleet, plan.redisRestarts, () => settled() / all, over.signal),
    killAtRandom(fleet, plan.killEveryMs, over.signal),
  ];
  await crowd.talk(() => crowd.askedAt.size - settled());
  // The storm goes on over the last answers, but not over those that wait for the lease of a sender that was killed.
  while (!over.signal.aborted && crowd.askedAt.size - settled() > all / 100) await sleep(100);
  over.abort();
  clearTimeout(latest);
  drops.end();
  const [redisRestarts] = await Promise.all([restarts, killing]);
  const stormMs = performance.now() - startedAt;

  const missing = (): number => [...crowd.askedAt.keys()].filter((number) => !isSettled(number)).length;
  for (let newest = { left: missing(), at: performance.now() }; newest.left > 0; await sleep(200)) {
    const left = missing();
    if (left < newest.left) newest = { left, at: performance.now() };
    if (left === 0 || performance.now() - newest.at > plan.patienceMs) break;
  }
  const tookMs = Math.max(...seen.at.values()) - startedAt;
  await sleep(WATCH_MS);
  await look();

  return {
    verdict: judge(conversationsOf(platform, crowd), setAside),
    kills: total(fleet, 'kills'),
    exits: total(fleet, 'exits'),
    redisRestarts,
    redelivered: crowd.redelivered,
    dropped: drops.count(),
    runs: seen.messages(),
    tookMs,
    stormMs,
    answeredAfterMs: [...seen.at].map(([number, at]) => at - (crowd.askedAt.get(number) ?? at)),
    logs: fleet.folder,
  };
}

/** Notes when each number was first answered. */
function watchAnswers({ telegram }: Platform): {
  readonly at: ReadonlyMap<number, number>;
  readonly messages: () => number;
  readonly end: () => void;
} {
  const at = new Map<number, number>();
  let messages = 0;
  const end = telegram.events.subscribe((event) => {
    if ((event.type !== 'message' && event.type !== 'edit') || !event.message.from.isBot) return;
    if (event.type === 'message') messages += 1;
    for (const number of numbersIn(event.message.content.text)) if (!at.has(number)) at.set(number, performance.now());
  });
  return { at, messages: () => messages, end };
}

const total = ({ members }: Fleet, what: 'kills' | 'exits'): number =>
  members.reduce((sum, member) => sum + member[what], 0);
