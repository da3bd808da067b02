import type { Clock } from '../../base/clock.ts';
import { asAntlerError } from '../../base/errors.ts';
import { newRunId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { say } from '../../base/sentences.ts';
import type { MemoryJob, NewFact } from '../../store/memory/port.ts';
import { BACKOFF_MS, LEASE_MS, MAX_ATTEMPTS } from '../limits.ts';
import type { MemorySettings, TellLearnt } from '../port.ts';
import { type ExtractOptions, extract } from './extract.ts';

export interface LearningOptions extends ExtractOptions {
  readonly settings: Pick<MemorySettings, 'notice' | 'noticeInGroups'>;
  readonly tell: TellLearnt;
  readonly clock: Clock;
  readonly log: Logger;
  /** Conversations that are looked through at once in this process. */
  readonly atOnce?: number;
  /** How often is looked for work, while there is none. */
  readonly pollMs?: number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/** Looks through conversations as long as it runs. */
export interface Learning {
  /** Looks through what is due, and resolves when nothing is left of it. */
  drain(): Promise<void>;
  /** Takes nothing any more; what is being looked through is handed back. */
  stop(): Promise<void>;
}

/** They wait for a model, not for the processor. */
const AT_ONCE = 16;
const POLL_MS = 1_500;

export function startLearning(options: LearningOptions): Learning {
  const { store, clock, log, atOnce = AT_ONCE, pollMs = POLL_MS } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  /** Begins with what is due, as much as may run at once. */
  async function fill(): Promise<void> {
    while (running.size < atOnce && !stopping.signal.aborted) {
      const now = clock.now();
      const job = await store.memory.jobs.claim(newRunId(), now, now + LEASE_MS);
      if (job === null) return;
      const work = lookThrough(job, options, stopping.signal).finally(() => running.delete(work));
      running.add(work);
    }
  }

  /** Until something that runs has ended, or it is time to look again. */
  async function pause(): Promise<void> {
    const slept = new AbortController();
    const signal = AbortSignal.any([slept.signal, stopping.signal]);
    const time = clock.sleep(pollMs, signal).catch(() => {}); // stopped, or not waited for any more
    await Promise.race([time, ...running]);
    slept.abort();
    await time;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await fill().catch((error: unknown) => log.warn({ err: error }, 'the memory looks for work again later'));
      await pause();
    }
  }

  const looping = pollMs === 0 ? null : loop();
  return {
    async drain() {
      do {
        await fill();
        // A race of nobody never ends.
        if (running.size > 0) await Promise.race(running);
      } while (running.size > 0);
    },
    async stop() {
      stopping.abort();
      await looping;
      await Promise.all(running);
    },
  };
}

async function lookThrough(job: MemoryJob, options: LearningOptions, signal: AbortSignal): Promise<void> {
  const { log, clock } = options;
  const startedAt = clock.now();
  try {
    const extracted = await extract(job, options, signal);
    if (extracted === null || !extracted.asked) return;
    log.info(
      { thread: job.thread, facts: extracted.added.length, ms: clock.now() - startedAt },
      'memory: looked through a conversation',
    );
    await tellOf(job, extracted.added, options);
  } catch (thrown) {
    await putBack(job, thrown, options, signal.aborted);
  }
}

/** Tries again later, more and more seldom; in the end what no model can read is passed over. */
async function putBack(job: MemoryJob, thrown: unknown, options: LearningOptions, isStopping: boolean): Promise<void> {
  const { store, clock, log, random = Math.random } = options;
  const error = asAntlerError(thrown);
  const attempts = isStopping ? job.attempts : job.attempts + 1;
  const now = clock.now();
  const about = { thread: job.thread, code: error.code, attempts, problem: error.message };
  const end = { job, readTo: null, attempts } as const;
  try {
    if (isStopping) {
      await store.memory.jobs.end({ ...end, nextAt: now }, now);
    } else if (attempts < MAX_ATTEMPTS) {
      const wait = Math.max(error.retryAfterMs ?? 0, BACKOFF_MS * 2 ** (attempts - 1) * (0.75 + random() / 2));
      log.warn(about, 'memory: a conversation will be looked through again');
      await store.memory.jobs.end({ ...end, nextAt: now + Math.round(wait) }, now);
    } else {
      log.error(about, 'memory: a conversation was given up until more is said in it');
      const last =
        error.code === 'bad_input' ? (await store.log.since(job.thread, job.readTo, 1_000)).at(-1) : undefined;
      await store.memory.jobs.end({ ...end, readTo: last?.position ?? null, nextAt: null, attempts: 0 }, now);
    }
  } catch (failed) {
    // Its lease runs out, and somebody else takes it.
    log.warn({ ...about, err: failed }, 'memory: a conversation could not be handed back');
  }
}

async function tellOf(
  job: MemoryJob,
  added: readonly NewFact[],
  { settings, tell, log }: LearningOptions,
): Promise<void> {
  const wanted = job.chatKind === 'dm' ? settings.notice : settings.noticeInGroups;
  const [first] = added;
  if (!wanted || first === undefined) return;
  const facts = added.map(({ content }) => `- ${content}`).join('\n');
  try {
    await tell(job, `memory/${first.id}`, say(job.language, 'memory_noticed', { facts }));
  } catch (error) {
    log.warn({ thread: job.thread, err: error }, 'memory: what was learnt is not told');
  }
}
