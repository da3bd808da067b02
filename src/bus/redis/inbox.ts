import type { ThreadId } from '../../base/ids.ts';
import type { BusStats, CancelReason, Recalled, ThreadState } from '../port.ts';
import { fieldText, payloadText } from './codec.ts';
import { unavailable } from './connection.ts';
import { number, type Reply, text } from './reply.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** Takes an input back, or puts another payload in its place, unless its turn is active. */
export async function recall(
  wiring: Wiring,
  thread: ThreadId,
  dedupeKey: string,
  change: { readonly payload: unknown } | null,
): Promise<Recalled | 'alone'> {
  const payload = change === null ? [] : [payloadText(change.payload)];
  const result = await runPromptly(wiring, 'recall', thread, fieldText(dedupeKey), ...payload);
  return result === 'changed' || result === 'active' || result === 'alone' ? result : 'gone';
}

/** Takes all inputs back whose turn is not active; resolves with how many they were. */
export async function clear(wiring: Wiring, thread: ThreadId): Promise<number> {
  return number(await runPromptly(wiring, 'clear', thread));
}

/** To wait for a place (`held`), for the end of a pause (`parked`) or of a burst (`quiet`) are ways of being queued. */
export function stateOf(stored: Reply | undefined): ThreadState['state'] {
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

/** Inboxes that one question asks for the length of. */
const AT_ONCE = 500;

export async function stats(wiring: Wiring): Promise<BusStats> {
  const { base, prompt } = wiring;
  try {
    const [queued, running, deadLetters, deliveries] = await Promise.all([
      prompt.zrange(`${base}queued`, '0', '-1'),
      prompt.zrange(`${base}running`, '0', '-1'),
      prompt.zcard(`${base}dlq:order`),
      prompt.hget(`${base}count`, 'deliveries'),
    ]);
    // Counting them as they come would cost every message two steps.
    const threads = [...new Set([...queued, ...running])];
    let waitingInputs = 0;
    for (let from = 0; from < threads.length; from += AT_ONCE) {
      const some = threads.slice(from, from + AT_ONCE);
      const lengths = await Promise.all(some.map((thread) => prompt.llen(`${base}in:${thread}`)));
      waitingInputs += lengths.reduce((sum, length) => sum + length, 0);
    }
    return {
      queuedThreads: queued.length,
      runningThreads: running.length,
      waitingInputs,
      pendingDeliveries: Number(deliveries ?? 0),
      deadLetters,
    };
  } catch (thrown) {
    throw unavailable(thrown);
  }
}
