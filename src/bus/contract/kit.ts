import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type DeliveryId, newRunId, newThreadId, type ThreadId } from '../../base/ids.ts';
import type { RateLimit } from '../../channel/port.ts';
import { type AbortReason, abortReason } from '../abort.ts';
import type {
  MessageBus,
  NewDelivery,
  NewDraft,
  NewInput,
  Places,
  Turn,
  TurnHandler,
  TurnOutcome,
  WorkOptions,
} from '../port.ts';

/** One fresh bus, and what the implementation can do around it. The factory closes all of them when the test ends. */
export interface BusUnderTest {
  readonly bus: MessageBus;
  /** Closes the bus, unless the test did so, and opens another on the same data. */
  readonly reopen?: () => Promise<MessageBus>;
  /**
   * Leaves the bus as `kill -9` would: nothing is finished or handed over, and what its handlers still do reaches
   * nobody. Opens another on the data as it was then.
   */
  readonly crash?: () => Promise<MessageBus>;
  /** One more instance on the same data, as another process would have it. */
  readonly second?: () => Promise<MessageBus>;
  /** Takes a lease away from its holder, as a long outage would. */
  readonly loseLease?: (name: string) => Promise<void>;
}

export interface BusSettings {
  /** The bound of every thread's inbox. Absent: the implementation's default. */
  readonly maxInbox?: number;
  /** Absent: the implementation's default. */
  readonly places?: Places;
}

export type OpenBus = (t: TestContext, settings: BusSettings) => Promise<BusUnderTest>;

export const workOptions: WorkOptions = { concurrency: 8, leaseMs: 5_000, maxAttempts: 3 };
export const sendOptions = { concurrency: 8, leaseMs: 5_000 } as const;

/** Long enough for a loaded machine; nothing in the suite waits for it unless it is about to fail. */
const PATIENCE_MS = 10_000;

/** Waits until `check` holds, and fails naming `what` when it never does. */
export async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`never came: ${what}`);
    await delay(2);
  }
}

/** A promise that the test resolves; awaiting it fails instead of hanging when nobody does. */
export interface Gate<Value = void> {
  open(value: Value): void;
  readonly passed: Promise<Value>;
}

export function gate<Value = void>(what = 'the gate'): Gate<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => reject(new Error(`never opened: ${what}`)), PATIENCE_MS);
  timer.unref();
  promise.catch(() => {});
  return {
    open: (value) => {
      clearTimeout(timer);
      resolve(value);
    },
    passed: promise,
  };
}

let counter = 0;
export const unique = (name: string): string => `${name}${process.pid}x${++counter}`;

/** An input that collects and does not wait for more. */
export function newInput(thread: ThreadId, payload: unknown, chat = 'telegram/1'): NewInput {
  const [channel = ''] = chat.split('/');
  return {
    thread,
    channel,
    chat,
    user: `user of ${chat}`,
    dedupeKey: unique('message'),
    payload,
    at: Date.now(),
    busy: 'collect',
    quiet: { whenIdleMs: 0, whenBusyMs: 0, mostMs: 0 },
  };
}

/** Publishes payloads to one thread, one after another. */
export async function publishAll(bus: MessageBus, thread: ThreadId, payloads: readonly unknown[], chat?: string) {
  for (const payload of payloads) await bus.publish(newInput(thread, payload, chat));
}

interface DeliveryShape {
  readonly chat?: string;
  readonly channel?: string;
  readonly id?: string;
  readonly limits?: readonly RateLimit[];
  readonly stream?: NonNullable<NewDelivery['stream']>;
  readonly resendForMs?: number;
}

export function newDelivery(markdown: string, shape: DeliveryShape = {}): NewDelivery {
  return {
    id: (shape.id ?? unique('delivery')) as DeliveryId,
    channel: shape.channel ?? 'telegram',
    target: { chat: shape.chat ?? '1', chatKind: 'dm' },
    document: { markdown },
    limits: shape.limits ?? [],
    at: Date.now(),
    resendForMs: shape.resendForMs ?? 0,
    ...(shape.stream === undefined ? {} : { stream: shape.stream }),
  };
}

export function newDraft(stream: string, markdown: string, chat = '1'): NewDraft {
  return { stream, channel: 'telegram', target: { chat, chatKind: 'dm' }, parts: [{ markdown }], limits: [] };
}

/** The outcome that acknowledges the whole turn. */
export function done(turn: Pick<Turn, 'inputs'>, deliveries: readonly NewDelivery[] = []): TurnOutcome {
  return { kind: 'done', commit: newRunId(), ackSeq: turn.inputs.at(-1)?.seq ?? 0, deliveries };
}

export const payloadsOf = (turn: Pick<Turn, 'inputs'>): unknown[] => turn.inputs.map((input) => input.payload);

/** A handler out of its `run`; a turn that is given up is told to nobody. */
export function handlerOf(run: TurnHandler['run'], giveUp: TurnHandler['giveUp'] = async () => []): TurnHandler {
  return { run, giveUp };
}

/** What a bus was seen to do with its turns, the first of which is held until the test (or an abort) lets it go. */
export interface HeldWork {
  /** The payloads of every turn, in the order in which they began. */
  readonly turns: unknown[][];
  readonly started: Promise<void>;
  letGo(): void;
}

/** Works; the first turn ends when it is let go or aborted, all others at once, and all commit what they were handed. */
export async function workHolding(bus: MessageBus, options: WorkOptions = workOptions): Promise<HeldWork> {
  const turns: unknown[][] = [];
  const started = gate('the first turn');
  const go = gate('the end of the first turn');
  await bus.work(
    handlerOf(async (turn) => {
      turns.push(payloadsOf(turn));
      if (turns.length === 1) {
        started.open();
        await Promise.race([go.passed, aborted(turn)]);
      }
      return done(turn);
    }),
    options,
  );
  return { turns, started: started.passed, letGo: () => go.open() };
}

/** Resolves with the reason when the turn is aborted. */
export function aborted({ signal }: Pick<Turn, 'signal'>): Promise<AbortReason | null> {
  return new Promise((resolve) => {
    const tell = (): void => resolve(abortReason(signal));
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell, { once: true });
  });
}

export async function idle(bus: MessageBus, thread: ThreadId): Promise<void> {
  await until(`${thread} is idle`, async () => (await bus.threadState(thread)).state === 'idle');
}

export { newRunId, newThreadId };
