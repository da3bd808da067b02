import type { ThreadId } from '../../../base/ids.ts';
import type { MessageBus } from '../../../bus/port.ts';
import { quantile } from '../statistics.ts';
import { atMost, type Figure, milliseconds } from './figure.ts';
import { newPrefix, startGround } from './ground.ts';
import { input, now } from './inputs.ts';
import { BenchWorker, type Report } from './worker.ts';

const MOST_MS = 100;
/** Runs that go on at the same time in the process that is told. */
const RUNS = 40;

/** From asking in one process until the run in another knows it. */
export async function measureSignals(samples: number): Promise<readonly Figure[]> {
  const kinds = [
    ['cancel', 'aborted', (bus: MessageBus, thread: string) => bus.cancel(thread as ThreadId, 'stop')],
    ['steer', 'steered', (bus: MessageBus, thread: string) => bus.publish(input(thread, 2, { busy: 'steer' }))],
    ['interrupt', 'aborted', (bus: MessageBus, thread: string) => bus.publish(input(thread, 2, { busy: 'interrupt' }))],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, answer, act] of kinds) {
    const took = await measureOne(samples, answer, act);
    const shown = ` (median ${milliseconds(quantile(took, 0.5))}, ${took.length} times)`;
    figures.push(
      atMost(`${name} → the run in another process, 99 %`, quantile(took, 0.99), MOST_MS, milliseconds, shown),
    );
  }
  return figures;
}

async function measureOne(
  samples: number,
  answer: 'aborted' | 'steered',
  act: (bus: MessageBus, thread: string) => Promise<unknown>,
): Promise<readonly number[]> {
  await using owner = new AsyncDisposableStack();
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const bus = await ground.openBus(prefix);
  const worker = await BenchWorker.start({ url: ground.url, prefix, task: 'wait', concurrency: RUNS * 2 });
  owner.defer(() => worker.kill());
  const begun = new Map<string, () => void>();
  const answered = new Map<string, (at: number) => void>();
  worker.hear((report: Report) => {
    if (report.kind === 'begun') begun.get(report.thread)?.();
    else if (report.kind === answer && 'thread' in report) answered.get(report.thread)?.(report.at);
  });
  const took: number[] = [];
  const one = async (thread: string): Promise<void> => {
    const started = Promise.withResolvers<void>();
    const told = Promise.withResolvers<number>();
    begun.set(thread, started.resolve);
    answered.set(thread, told.resolve);
    await bus.publish(input(thread, 1));
    await started.promise;
    const at = now();
    await act(bus, thread);
    took.push((await told.promise) - at);
  };
  // A few are asked at once, while the other runs just go on.
  const others = Array.from({ length: RUNS }, (_, n) => bus.publish(input(`other-${n}`, 1)));
  await Promise.all(others);
  for (let sample = 0; sample < samples; sample += 4)
    await Promise.all([0, 1, 2, 3].map((n) => one(`told-${sample + n}`)));
  return took;
}
