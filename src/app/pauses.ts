import { setTimeout as delay } from 'node:timers/promises';

/** The items as they come, and null each time that none has come for `ms` milliseconds. */
export async function* withPauses<Item>(
  items: AsyncIterable<Item>,
  ms: number,
): AsyncGenerator<Item | null, void, void> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const come = new AbortController();
      const pause = delay(ms, null, { signal: come.signal }).catch(() => null); // it came in time
      const first = await Promise.race([next, pause]);
      come.abort();
      if (first?.done === true) return;
      yield first === null ? null : first.value;
      if (first !== null) next = iterator.next();
    }
  } finally {
    // Not awaited: it ends only when the item that is being waited for has come.
    iterator.return?.().catch(() => {});
  }
}
