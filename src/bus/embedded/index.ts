import { type Clock, systemClock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { DEFAULT_PLACES } from '../places.ts';
import type { MessageBus, NewDelivery, Outbox, Places, TurnInput } from '../port.ts';
import { createWindows } from '../window.ts';
import { createAgenda } from './agenda.ts';
import { createClaims } from './claims.ts';
import { createDeadLetterTable } from './dead-letters.ts';
import { createDeliveryTable } from './deliveries.ts';
import { createInbox } from './inbox.ts';
import { createJanitor } from './janitor.ts';
import { closedError, openJournal } from './journal.ts';
import { createLocalLeases } from './leases.ts';
import { createPausedChannels } from './paused.ts';
import { createPersistence } from './persist.ts';
import { chatsOf, createSender } from './sender.ts';
import { createTopics } from './topics.ts';
import { createWorker } from './worker.ts';

export interface EmbeddedOptions {
  /** The SQLite file; its folder is made when it is missing. */
  readonly file: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Inputs that one thread's inbox holds; more are refused as `full`. */
  readonly maxInbox?: number;
  readonly places?: Places;
}

const MAX_INBOX = 1_000;
const GRACE_MS = 10_000;
/** How long runs that were asked to end have for it. */
const ABORT_MS = 500;
/** How long answers that are ready may take to go out: a chat's limit of rate passes in this time. */
const PARTING_MS = 3_000;
const PARTING_LOOK_MS = 10;

/**
 * The MessageBus of a single process, in a SQLite file of its own. What a call has resolved for survives `kill -9`;
 * a power cut may take the last moments with it.
 *
 * @throws AntlerError `conflict` when another process has the file, `config_invalid` when it cannot be used.
 *
 * @example
 * const bus = await createEmbeddedBus({ file: 'data/bus.db', log });
 * await bus.work(handler, { concurrency: 8, leaseMs: 30_000, maxAttempts: 3 });
 */
export async function createEmbeddedBus(options: EmbeddedOptions): Promise<MessageBus> {
  const { file, log, clock = systemClock, maxInbox = MAX_INBOX, places = DEFAULT_PLACES } = options;
  const journal = openJournal(file);
  const persistence = createPersistence(journal, clock, log);
  const agenda = createAgenda(clock);
  const windows = createWindows();
  const paused = createPausedChannels(journal);
  const inbox = createInbox(journal, paused, maxInbox);
  const letters = createDeadLetterTable(journal);
  const deliveries = createDeliveryTable(journal, letters);
  const claims = createClaims(journal, clock);
  const leases = createLocalLeases();
  const topics = createTopics(log);
  let doubted: readonly NewDelivery[] = [];
  try {
    await journal.write(() => {
      inbox.recover(clock.now());
      doubted = deliveries.recover(clock.now());
    });
  } catch (error) {
    journal.close();
    throw error;
  }
  const sender = createSender({ deliveries, windows, paused, persistence, agenda, clock, log, doubted });

  const addAll = (added: readonly NewDelivery[]): void => {
    for (const delivery of added) deliveries.add(delivery, clock.now());
  };
  const wakeAll = (added: readonly NewDelivery[]): void => {
    for (const { channel, chat } of chatsOf(added)) sender.wake(channel, chat);
  };

  const worker = createWorker({
    inbox,
    deadLetters: letters,
    output: { add: addAll, wake: wakeAll, draft: sender.draft },
    places,
    paused,
    persistence,
    agenda,
    clock,
    log,
  });

  deliveries.loadLimits(windows, clock.now());
  for (const waiting of inbox.waiting()) worker.wake(waiting);
  for (const { channel, chat } of deliveries.chats()) sender.wake(channel, chat);
  createJanitor(journal, windows, agenda, clock, log).start();

  const outbox: Outbox = {
    enqueue: async (added) => {
      await journal.write(() => addAll(added));
      wakeAll(added);
    },
    send: async (channels, handler, sending) => sender.start(channels, handler, sending),
    pending: async (channel, chat) => open(() => deliveries.pending(channel, chat)),
  };

  let closing: Promise<void> | null = null;
  const open = <Result>(read: () => Result): Result => {
    if (closing !== null) throw closedError();
    return read();
  };

  const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
    const over = new AbortController();
    const timeUp = clock.sleep(ms, over.signal).catch(() => {});
    await Promise.race([work, timeUp]);
    over.abort();
  };

  const shutDown = async (graceMs: number): Promise<void> => {
    const deadline = clock.now() + graceMs;
    worker.stop();
    await within(graceMs, worker.drained());
    worker.abort();
    await within(ABORT_MS, worker.drained());
    worker.handOver();
    // The turns that have just ended have something to say, and who asked is waiting for it.
    const parting = Math.min(deadline, clock.now() + PARTING_MS);
    while (clock.now() < parting && sender.owes(parting)) await clock.sleep(PARTING_LOOK_MS);
    sender.stop();
    const drained = Promise.all([worker.drained(), sender.drained()]);
    await within(Math.max(0, deadline - clock.now()), drained);
    sender.cut();
    persistence.stop();
    await drained;
    agenda.stop();
    leases.end();
    topics.end();
    journal.close();
  };

  return {
    publish: async (input) => {
      const payload = jsonOf(input.payload);
      const { answer, found, wake } = await journal.write(() => inbox.publish(input, payload, clock.now()));
      if (wake !== null) worker.wake(wake);
      if (answer.status === 'accepted' && found === 'running') {
        if (input.busy === 'interrupt') worker.cancel(input.thread, 'interrupt');
        if (input.busy === 'steer') worker.nudge(input.thread);
      }
      return answer;
    },
    withdraw: async (thread, key) => {
      const { recalled, after } = await journal.write(() => inbox.withdraw(thread, key, clock.now()));
      if (after?.left === 'idle') worker.forget(thread);
      else if (after !== null && after.wake !== null) worker.wake(after.wake);
      return recalled;
    },
    clear: async (thread) => {
      const { gone, isIdle } = await journal.write(() => inbox.clear(thread, clock.now()));
      if (isIdle) worker.forget(thread);
      return gone;
    },
    amend: async (thread, key, payload) => {
      const json = jsonOf(payload);
      return journal.write(() => inbox.amend(thread, key, json));
    },
    pause: paused.add,
    resume: async (channel) => {
      await paused.delete(channel);
      for (const waiting of inbox.waiting(channel)) worker.wake(waiting);
      sender.resume(channel);
    },
    paused: async () => open(paused.list),
    bury: async () => {
      // Nobody else has this file: what a process of before left was taken over when the file was opened.
    },
    work: async (handler, working) => worker.start(handler, working),
    cancel: async (thread, reason) => worker.cancel(thread, reason),
    threadState: async (thread) => open(() => inbox.state(thread)),
    outbox,
    claims,
    leases,
    deadLetters: {
      list: async (limit) => open(() => letters.list(limit)),
      get: async (id) => open(() => letters.get(id)),
      replay: async (id) => {
        const { found, wake, sends } = await journal.write(() => {
          const taken = letters.take(id);
          if (taken === null) return { found: false, wake: null, sends: [] };
          const { thread, channel = '', chat = '', content } = taken.letter;
          if (thread === undefined) {
            const delivery = content as NewDelivery;
            deliveries.putBack(delivery, clock.now());
            return { found: true, wake: null, sends: [delivery] };
          }
          const owner = { channel, chat, user: taken.user };
          return { found: true, wake: inbox.putBack(thread, owner, content as TurnInput[], clock.now()), sends: [] };
        });
        if (wake !== null) worker.wake(wake);
        wakeAll(sends);
        return found;
      },
      drop: (id) => journal.write(() => letters.take(id) !== null),
    },
    broadcast: topics.publish,
    subscribe: topics.subscribe,
    stats: async () =>
      open(() => ({ ...inbox.counts(), pendingDeliveries: deliveries.count(), deadLetters: letters.count() })),
    check: async () => {
      await journal.write(() => {
        // Nothing is written, but the write lock and the file are asked for.
        inbox.counts();
      });
      return [];
    },
    close: ({ graceMs = GRACE_MS } = {}) => {
      closing ??= shutDown(graceMs);
      return closing;
    },
  };
}

function jsonOf(payload: unknown): string {
  let json: string | undefined;
  let cause: unknown;
  try {
    json = JSON.stringify(payload);
  } catch (error) {
    cause = error;
  }
  if (json === undefined) throw new AntlerError('bad_input', 'The payload of an input must be JSON.', { cause });
  return json;
}
