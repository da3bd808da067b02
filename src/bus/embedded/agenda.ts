import type { Clock } from '../../base/clock.ts';

/** What is to be done at a time, by name. The only timer of the embedded bus. */
export interface Agenda {
  /** Calls `ring` at `when` (milliseconds since the epoch); takes the place of what was there under the name. */
  set(name: string, when: number, ring: () => void): void;
  delete(name: string): void;
  /** Nothing rings any more, and no timer is left. */
  stop(): void;
}

interface Entry {
  readonly name: string;
  readonly when: number;
  /** Entries of the same time ring in the order in which they were set. */
  readonly order: number;
  readonly ring: () => void;
  place: number;
}

/** The clock may be set while we sleep; so often it is looked at. Also far below the longest possible timer. */
const LONGEST_SLEEP_MS = 30_000;

const before = (a: Entry, b: Entry): boolean => a.when < b.when || (a.when === b.when && a.order < b.order);

export function createAgenda(clock: Clock): Agenda {
  const byName = new Map<string, Entry>();
  // A binary heap: the next entry is the first, and every entry knows its place so that it can be taken out.
  const heap: Entry[] = [];
  let orders = 0;
  let sleep: { readonly until: number; readonly abort: AbortController } | null = null;
  let stopped = false;

  const put = (entry: Entry, place: number): void => {
    heap[place] = entry;
    entry.place = place;
  };

  const settle = (entry: Entry): void => {
    let place = entry.place;
    while (place > 0) {
      const parent = heap[(place - 1) >> 1];
      if (parent === undefined || !before(entry, parent)) break;
      put(parent, place);
      place = (place - 1) >> 1;
    }
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const child = left !== undefined && right !== undefined && before(right, left) ? right : left;
      if (child === undefined || !before(child, entry)) break;
      const next = child.place;
      put(child, place);
      place = next;
    }
    put(entry, place);
  };

  const remove = (entry: Entry): void => {
    byName.delete(entry.name);
    const last = heap.pop();
    if (last === undefined || last === entry) return;
    put(last, entry.place);
    settle(last);
  };

  const ringDue = (): void => {
    const now = clock.now();
    // Only what is due now: what a ring sets for "at once" waits for the next look, so that nothing can spin here.
    const due: Entry[] = [];
    for (let first = heap[0]; first !== undefined && first.when <= now; first = heap[0]) {
      remove(first);
      due.push(first);
    }
    for (const entry of due) if (!stopped) entry.ring();
  };

  const arm = (): void => {
    const first = heap[0];
    if (stopped || first === undefined) return;
    if (sleep !== null && sleep.until <= first.when) return;
    sleep?.abort.abort();
    const now = clock.now();
    const ms = Math.min(LONGEST_SLEEP_MS, Math.max(1, first.when - now));
    const abort = new AbortController();
    const mine = { until: now + ms, abort };
    sleep = mine;
    clock.sleep(ms, abort.signal).then(
      () => {
        if (sleep !== mine) return;
        sleep = null;
        ringDue();
        arm();
      },
      () => {}, // aborted: an earlier entry has come, or it is over
    );
  };

  return {
    set: (name, when, ring) => {
      if (stopped) return;
      const old = byName.get(name);
      if (old !== undefined) remove(old);
      const entry: Entry = { name, when, order: orders++, ring, place: heap.length };
      byName.set(name, entry);
      heap.push(entry);
      settle(entry);
      arm();
    },
    delete: (name) => {
      const entry = byName.get(name);
      if (entry !== undefined) remove(entry);
    },
    stop: () => {
      stopped = true;
      sleep?.abort.abort();
      sleep = null;
      heap.length = 0;
      byName.clear();
    },
  };
}
