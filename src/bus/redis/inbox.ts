import type { ThreadId } from '../../base/ids.ts';
import type { BusStats, CancelReason, NewInput, Published, ThreadState } from '../port.ts';
import { inputItem } from './codec.ts';
import { unavailable } from './connection.ts';
import { list, number, type Reply, text } from './reply.ts';
import { wakeUpsOf } from './wake.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** Stores an input and wakes its thread when it slept. */
export async function publish(wiring: Wiring, input: NewInput, maxInbox: number): Promise<Published> {
  const { thread, chat, dedupeKey } = input;
  const reply = list(await runPromptly(wiring, 'publish', thread, chat, dedupeKey, inputItem(input), maxInbox));
  const [status, seq, found, wakes] = reply;
  await wiring.promptWaker.wake(wakeUpsOf(wakes));
  switch (status) {
    case 'duplicate':
    case 'full':
      return { status };
    default: {
      const state = stateOf(found);
      return { status: 'accepted', seq: number(seq), state: state === 'delayed' ? 'queued' : state };
    }
  }
}

/** `held` (its chat has enough threads in the queue) is a way of being queued. */
function stateOf(stored: Reply | undefined): ThreadState['state'] {
  const state = text(stored);
  return state === 'running' || state === 'delayed'
    ? state
    : state === 'queued' || state === 'held'
      ? 'queued'
      : 'idle';
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
