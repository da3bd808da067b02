import type { ThreadId } from '../../../base/ids.ts';
import type { NewInput } from '../../../bus/port.ts';

/** The size of a chat message with what an adapter adds to it. */
const TEXT = 'x'.repeat(220);

/** What a measured message carries. */
export interface Payload {
  readonly n: number;
  /** When it was published, on the clock of {@link now}. */
  readonly at: number;
  readonly text: string;
}

/** Milliseconds, precise, and comparable between the processes of one machine. */
export const now = (): number => performance.timeOrigin + performance.now();

export const payload = (n: number): Payload => ({ n, at: now(), text: TEXT });

let published = 0;

/** An input that waits for nothing; one turn each unless it says otherwise. */
export function input(thread: string, n: number, more: Partial<NewInput> = {}): NewInput {
  published += 1;
  return {
    thread: thread as ThreadId,
    channel: 'bench',
    chat: `bench/${thread}`,
    user: thread,
    dedupeKey: `bench/${thread}/${n}/${published}`,
    payload: payload(n),
    at: Date.now(),
    busy: 'queue',
    quiet: { whenIdleMs: 0, whenBusyMs: 0, mostMs: 0 },
    ...more,
  };
}

/** Runs `act` for 0 … `count` − 1, `lanes` at once; numbers of one lane (n mod `lanes`) one after another. */
export async function inLanes(count: number, lanes: number, act: (n: number) => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = lane; n < count; n += lanes) await act(n);
    }),
  );
}
