import type { ThreadId } from '../../base/ids.ts';
import type { BusStats, CancelReason, NewInput, Published, Recalled, ThreadState } from '../port.ts';
import { escape, inputItem, payloadText, who } from './codec.ts';
import { unavailable } from './connection.ts';
import { list, number, type Reply, text } from './reply.ts';
import { wakeUpsOf } from './wake.ts';
import { replicated, runPromptly, type Wiring } from './wiring.ts';

/** Stores an input and wakes its thread when it slept. */
export async function publish(wiring: Wiring, input: NewInput, maxInbox: number): Promise<Published> {
  const { thread, dedupeKey, busy, quiet } = input;
  const windows = [quiet.whenIdleMs, quiet.whenBusyMs, quiet.mostMs].map((ms) => Math.max(0, Math.ceil(ms)));
  const reply = list(
    await runPromptly(
      wiring,
      'publish',
      thread,
      dedupeKey,
      busy.charAt(0),
      who(input),
      inputItem(input),
      maxInbox,
      ...windows,
    ),
  );
  const [status, seq, found, wakes] = reply;
  await wiring.promptWaker.wake(wakeUpsOf(wakes));
  switch (status) {
    case 'full':
    case 'busy':
      return { status };
    case 'duplicate':
      await replicated(wiring);
      return { status };
    default: {
      await replicated(wiring);
      const state = stateOf(found);
      return { status: 'accepted', seq: number(seq), state: state === 'delayed' ? 'queued' : state };
    }
  }
}

/** Takes an input back, or puts another payload in its place, unless its turn is active. */
export async function recall(
  wiring: Wiring,
  thread: ThreadId,
  dedupeKey: string,
  change: { readonly payload: unknown } | null,
): Promise<Recalled> {
  const payload = change === null ? [] : [payloadText(change.payload)];
  const [result, wakes] = list(await runPromptly(wiring, 'recall', thread, escape(dedupeKey), ...payload));
  await wiring.promptWaker.wake(wakeUpsOf(wakes));
  return result === 'changed' || result === 'active' ? result : 'gone';
}

/** To wait for a place (`held`), for the end of a pause (`parked`) or of a burst (`quiet`) are ways of being queued. */
function stateOf(stored: Reply | undefined): ThreadState['state'] {
  const state = text(stored);
  if (state === '' || state === 'idle') return 'idle';
  return state === 'running' || state === 'delayed' ? state : 'queued';
}

export async function threadState(wiring: Wiring, thread: ThreadId): Promise<ThreadState> {
  const { base, prompt } = wiring;
  try {
    const [state, waiting] = await Promise.all([
      prompt.hget(`${base}t:${thread}`, 'state'),
      prompt.llen(`${base}in:${thread}`),
    ]);
    return { state: stateOf(state), waiting };
  } catch (thrown) {
    throw unavailable(thrown);
  }
}

export async function cancel(wiring: Wiring, thread: ThreadId, reason: CancelReason): Promise<boolean> {
  return (await runPromptly(wiring, 'cancel', thread, reason)) === 1;
}

export async function stats(wiring: Wiring): Promise<BusStats> {
  const { base, prompt } = wiring;
  try {
    const [queuedThreads, runningThreads, deadLetters, [inputs, deliveries]] = await Promise.all([
      prompt.zcard(`${base}queued`),
      prompt.zcard(`${base}running`),
      prompt.zcard(`${base}dlq:order`),
      prompt.hmget(`${base}count`, 'inputs', 'deliveries'),
    ]);
    const [waitingInputs, pendingDeliveries] = [Number(inputs ?? 0), Number(deliveries ?? 0)];
    return { queuedThreads, runningThreads, waitingInputs, pendingDeliveries, deadLetters };
  } catch (thrown) {
    throw unavailable(thrown);
  }
}
