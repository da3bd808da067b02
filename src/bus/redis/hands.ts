import { setTimeout as delay } from 'node:timers/promises';
import { Job, type JobJson, type Worker } from 'bullmq';
import type { Logger } from '../../base/logger.ts';
import type { Company } from '../company.ts';
import { isPassing } from './connection.ts';
import type { WakeUp } from './wake.ts';

type WakeUpJob = Job<WakeUp>;

/** After trouble with Redis, in milliseconds. */
const AFTER_TROUBLE_MS = 500;

/** Carries out a wake-up; `lock` is the token of the job's lock. */
export type Carry = (wake: WakeUp, job: string, lock: string) => Promise<void>;

/**
 * Takes wake-ups by BullMQ's manual calls, as many at once as there are hands. BullMQ's own loop looks whether there is
 * a second job before it begins with the first, and so every message would wait for one more answer of Redis.
 */
export class Hands {
  readonly #worker: Worker<WakeUp>;
  readonly #concurrency: number;
  readonly #carry: Carry;
  readonly #company: Company;
  readonly #log: Logger;
  readonly #tasks = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  #stopping = false;
  #freed: (() => void) | undefined;
  #locks = 0;

  constructor(worker: Worker<WakeUp>, concurrency: number, carry: Carry, company: Company, log: Logger) {
    this.#worker = worker;
    this.#concurrency = concurrency;
    this.#carry = carry;
    this.#company = company;
    company.onOpen(() => this.#freed?.());
    this.#log = log;
    this.#loop = this.#run();
  }

  /** Takes no wake-up any more. Resolves when those in hand are done. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#freed?.();
    // Ends the waiting for the next wake-up; what is in hand is completed over the connection that is ours.
    const closed = this.#worker.close(true);
    await this.#loop;
    await Promise.all(this.#tasks);
    await closed;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      // While somebody is alone here, the others' wake-ups are for other processes.
      if (this.#tasks.size >= this.#concurrency || !this.#company.isOpen) {
        await new Promise<void>((resolve) => {
          this.#freed = resolve;
        });
        continue;
      }
      const lock = `${this.#worker.id}:${this.#locks++}`;
      try {
        const job: WakeUpJob | undefined = await this.#worker.getNextJob(lock);
        if (job !== undefined) this.#begin(job, lock);
      } catch (thrown) {
        this.#log.debug({ error: String(thrown) }, 'could not take a wake-up');
        await delay(AFTER_TROUBLE_MS, undefined, { ref: false });
      }
    }
  }

  #begin(job: WakeUpJob, lock: string): void {
    const task = this.#work(job, lock).catch((thrown: unknown) => {
      // Nobody renews its lock: it comes again, or the sweeper wakes the thread.
      this.#log.warn({ job: job.id, error: String(thrown) }, 'a wake-up failed');
    });
    this.#tasks.add(task);
    void task.then(() => {
      this.#tasks.delete(task);
      this.#freed?.();
    });
  }

  /** One wake-up after another, since completing one brings the next. */
  async #work(first: WakeUpJob, lock: string): Promise<void> {
    for (let job: WakeUpJob | null = first; job !== null; ) {
      await this.#carry(job.data, String(job.id), lock);
      job = await this.#complete(job, lock);
    }
  }

  async #complete(job: WakeUpJob, lock: string): Promise<WakeUpJob | null> {
    for (;;) {
      try {
        const next = await job.moveToCompleted(undefined, lock, !this.#stopping && this.#company.isOpen);
        // Where wake-ups only wait for their time, BullMQ gives no job but says when the first is due.
        const [json, id] = (next ?? []) as [(JobJson | null)?, string?];
        return json == null || id === undefined ? null : Job.fromJSON(this.#worker, json, id);
      } catch (thrown) {
        if (!isPassing(thrown) || this.#stopping) throw thrown;
        await delay(AFTER_TROUBLE_MS, undefined, { ref: false });
      }
    }
  }
}
