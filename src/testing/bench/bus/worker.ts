import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a worker process does. */
export interface WorkerSpec {
  readonly source: 'bus' | 'bullmq';
  readonly url: string;
  readonly prefix: string;
  readonly concurrency: number;
  /** `note`: each message is noted and done; `wait`: a turn lasts until it is stopped or steered. */
  readonly task: 'note' | 'wait';
  readonly workMs: number;
  readonly leaseMs: number;
  readonly id: string;
}

/** A message, and when it was published and reached its handler, on the clock that the processes share. */
export type Handled = readonly [thread: string, n: number, publishedAt: number, handledAt: number];

export type Order = 'count' | 'all';

export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' | 'aborted' | 'steered'; readonly thread: string; readonly at: number }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'all'; readonly handled: readonly Handled[]; readonly cpuUs: number };

const script = join(import.meta.dirname, 'worker.child.ts');
const POLL_MS = 20;

/** A worker process of a measurement. */
export class BenchWorker {
  readonly spec: WorkerSpec;
  readonly #child: ChildProcess;
  readonly #listeners = new Set<(report: Report) => void>();

  private constructor(spec: WorkerSpec) {
    this.spec = spec;
    this.#child = fork(script, [JSON.stringify(spec)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (report: Report) => {
      for (const listener of this.#listeners) listener(report);
    });
  }

  static async start(spec: Partial<WorkerSpec> & Pick<WorkerSpec, 'url' | 'prefix'>): Promise<BenchWorker> {
    const worker = new BenchWorker({
      source: 'bus',
      concurrency: 50,
      task: 'note',
      workMs: 0,
      leaseMs: 5_000,
      id: `bench-${randomUUID()}`,
      ...spec,
    });
    await worker.next('ready');
    return worker;
  }

  hear(listener: (report: Report) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The next report of this kind. */
  next<Kind extends Report['kind']>(kind: Kind): Promise<Report & { readonly kind: Kind }> {
    const { promise, resolve, reject } = Promise.withResolvers<Report & { readonly kind: Kind }>();
    const deafen = this.hear((report) => {
      if (report.kind === kind) resolve(report as Report & { readonly kind: Kind });
    });
    const die = (): void => reject(new Error('a worker of the benchmark ended'));
    this.#child.once('exit', die);
    return promise.finally(() => {
      deafen();
      this.#child.off('exit', die);
    });
  }

  ask(order: 'count'): Promise<Report & { readonly kind: 'count' }>;
  ask(order: 'all'): Promise<Report & { readonly kind: 'all' }>;
  async ask(order: Order): Promise<Report> {
    const answer = this.next(order);
    this.#child.send(order);
    return answer;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** Waits until the workers have handled `count` messages together, or `withinMs` have passed. */
export async function untilHandled(workers: readonly BenchWorker[], count: number, withinMs: number): Promise<void> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(POLL_MS)) {
    const counts = await Promise.all(workers.map((worker) => worker.ask('count')));
    if (counts.reduce((total, one) => total + one.count, 0) >= count) return;
  }
}
