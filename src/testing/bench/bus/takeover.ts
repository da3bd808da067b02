import { quantile } from '../statistics.ts';
import { atMost, type Figure, milliseconds } from './figure.ts';
import { type Ground, newPrefix, startGround } from './ground.ts';
import { input, now } from './inputs.ts';
import { BenchWorker } from './worker.ts';

const TURNS = 20;

/** From the death of a worker process until another one has begun its turns again. */
export async function measureTakeover(rounds: number): Promise<readonly Figure[]> {
  const supervised: number[] = [];
  for (let round = 0; round < rounds * 2; round++) supervised.push(...(await measureDeath(true)));
  const lost: number[] = [];
  for (let round = 0; round < rounds; round++) lost.push(...(await measureDeath(false)));
  const figure = (name: string, took: readonly number[], most: number): Figure =>
    atMost(
      name,
      Math.max(...took),
      most,
      milliseconds,
      ` (median ${milliseconds(quantile(took, 0.5))}, ${took.length} turns)`,
    );
  return [
    figure('takeover of a turn when a supervised worker is killed, longest', supervised, 500),
    figure('takeover of a turn when its whole host is lost, longest', lost, 8_000),
  ];
}

async function measureDeath(supervised: boolean): Promise<readonly number[]> {
  await using owner = new AsyncDisposableStack();
  const ground: Ground = await startGround(owner);
  const prefix = newPrefix();
  const bus = await ground.openBus(prefix);
  const start = (): Promise<BenchWorker> => BenchWorker.start({ url: ground.url, prefix, task: 'wait' });
  const victim = await start();
  owner.defer(() => victim.kill());
  const began = beginnings(victim);
  for (let n = 0; n < TURNS; n++) await bus.publish(input(`thread-${n}`, 1));
  await began.all;
  const heir = await start();
  owner.defer(() => heir.kill());
  const beganAgain = beginnings(heir);
  const killedAt = now();
  await victim.kill();
  // What `antler worker --processes` does as the supervisor of its processes.
  if (supervised) await bus.bury(victim.spec.id);
  await beganAgain.all;
  return beganAgain.at().map((at) => at - killedAt);
}

/** When the turns of a round began in a worker. */
function beginnings(worker: BenchWorker): { readonly all: Promise<void>; readonly at: () => readonly number[] } {
  const times = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.hear((report) => {
    if (report.kind !== 'begun') return;
    times.set(report.thread, report.at);
    if (times.size === TURNS) resolve();
  });
  return { all: promise, at: () => [...times.values()] };
}
