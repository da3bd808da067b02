import { setTimeout as sleep } from 'node:timers/promises';
import { conversationsOf } from './conversations.ts';
import { Crowd } from './crowd.ts';
import { type Fleet, startFleet } from './fleet.ts';
import type { Role } from './member.ts';
import { killAtRandom, restartRedis } from './mishaps.ts';
import type { Plan } from './plan.ts';
import { type Platform, startPlatform } from './platform.ts';
import { DeadLetterBox } from './set-aside.ts';
import type { Side } from './side.ts';
import { Tally } from './tally.ts';
import { judge, type Verdict } from './verdict.ts';

/** What became of the messages on one platform. */
export interface SideOutcome {
  readonly side: Pick<Side, 'name' | 'knowsRepeats'>;
  readonly verdict: Verdict;
  /** Answers to sends that were cut off. */
  readonly dropped: number;
  /** Sends of a message that the platform knew already. */
  readonly repeats: number;
}

/** What a storm has done and what became of the messages. */
export interface Outcome {
  readonly sides: readonly SideOutcome[];
  /** Processes that were killed. */
  readonly kills: Readonly<Record<Role, number>>;
  /** Processes that ended by themselves, as at a start while Redis is away. */
  readonly exits: number;
  readonly redisRestarts: number;
  readonly redelivered: number;
  /** Messages that the bots have sent. */
  readonly answers: number;
  /** From the first message until nobody was killed any more, and until the last answer. */
  readonly stormMs: number;
  readonly tookMs: number;
  /** From each question to its answer. */
  readonly answeredAfterMs: readonly number[];
  /** The folder with what the processes printed. */
  readonly logs: string;
}

export interface Progress {
  readonly asked: number;
  readonly settled: number;
  readonly kills: number;
}

/** Everybody who takes part. */
interface Scene {
  readonly plan: Plan;
  readonly platform: Platform;
  readonly fleet: Fleet;
  readonly crowd: Crowd;
  readonly tally: Tally;
}

/** An answer that is said twice is said again soon after. */
const WATCH_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const CHECK_EVERY_MS = 100;

/** Lets a fleet answer a crowd while its processes are killed, and counts on the platform's side. */
export async function storm(plan: Plan, tell: (progress: Progress) => void = () => {}): Promise<Outcome> {
  await using owner = new AsyncDisposableStack();
  const platform = await startPlatform(plan);
  owner.defer(() => platform.stop());
  const fleet = await startFleet(platform.config, plan);
  owner.defer(() => fleet.stop());
  const box = await DeadLetterBox.open(fleet.redis.url);
  owner.defer(() => box.close());
  const tally = new Tally(platform, box);
  owner.defer(() => tally.close());
  const over = new AbortController();
  const scene: Scene = { plan, platform, fleet, tally, crowd: new Crowd(platform, plan, tally, over.signal) };
  const looking = setInterval(async () => {
    await tally.look();
    tell({ asked: scene.crowd.askedAt.size, settled: tally.settled, kills: killsOf(fleet) });
  }, LOOK_EVERY_MS);
  owner.defer(() => clearInterval(looking));

  const startedAt = performance.now();
  const { redisRestarts, dropped } = await rage(scene, over);
  const stormMs = performance.now() - startedAt;
  await settleDown(scene);
  const { answeredAt, answers, setAside } = tally;
  return {
    sides: platform.sides.map((side, index) => ({
      side,
      verdict: judge(conversationsOf(side, scene.crowd), setAside),
      dropped: dropped[index] ?? 0,
      repeats: side.repeats(),
    })),
    kills: { gateway: killsOf(fleet, 'gateway'), worker: killsOf(fleet, 'worker'), crew: killsOf(fleet, 'crew') },
    redisRestarts,
    exits: fleet.members.reduce((sum, { exits }) => sum + exits, 0),
    redelivered: scene.crowd.redelivered,
    answers,
    stormMs,
    tookMs: Math.max(startedAt, ...answeredAt.values()) - startedAt,
    answeredAfterMs: [...answeredAt].map(([number, at]) => at - (scene.crowd.askedAt.get(number) ?? at)),
    logs: fleet.folder,
  };
}

/** The storm itself: until everything was said and nearly everything answered, or its time is over. */
async function rage(
  scene: Scene,
  over: AbortController,
): Promise<{ readonly redisRestarts: number; readonly dropped: readonly number[] }> {
  const { plan, platform, fleet, crowd, tally } = scene;
  const all = plan.chats * plan.messagesPerChat;
  const latest = setTimeout(() => over.abort(), plan.stormMs);
  const drops = platform.sides.map((side) => side.dropAnswers(plan.dropped));
  const [restarts, killing] = [
    restartRedis(fleet, plan.redisRestarts, () => tally.settled / all, over.signal),
    killAtRandom(fleet, plan.killEveryMs, over.signal),
  ];
  await crowd.talk();
  // The last few may wait for the leases of the dead.
  while (!over.signal.aborted && crowd.unanswered > all / 100) await sleep(CHECK_EVERY_MS);
  over.abort();
  clearTimeout(latest);
  for (const drop of drops) drop.end();
  const [redisRestarts] = await Promise.all([restarts, killing]);
  return { redisRestarts, dropped: drops.map((drop) => drop.count()) };
}

/** Nobody is killed any more: waits until all is settled, or nothing more is to be expected. */
async function settleDown({ plan, crowd, tally }: Scene): Promise<void> {
  let newest = { settled: tally.settled, at: performance.now() };
  while (newest.settled < crowd.askedAt.size && performance.now() - newest.at < plan.patienceMs) {
    await sleep(CHECK_EVERY_MS);
    if (tally.settled > newest.settled) newest = { settled: tally.settled, at: performance.now() };
  }
  await sleep(WATCH_MS);
  await tally.look();
}

const killsOf = ({ members }: Fleet, role?: Role): number =>
  members.filter((member) => role === undefined || member.role === role).reduce((sum, { kills }) => sum + kills, 0);
