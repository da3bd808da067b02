import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import type { Lanes } from '../../../src/channel/lanes.ts';
import { ALBUM_MAX_ITEMS, ALBUM_MOST_MS, ALBUM_QUIET_MS } from '../limits.ts';
import { albumOf, laneOf, updateIdOf } from '../update.ts';

export interface GatheringOptions<Result> {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Gets one update, or all that there are of one album. */
  readonly receive: (updates: readonly unknown[]) => Promise<Result>;
}

export interface Gathering<Result> {
  /** Resolves when the update is received, alone or with the other parts of its album. Call it in Telegram's order. */
  take(update: unknown): Promise<Result>;
  /** True while an album may still grow. */
  readonly isOpen: boolean;
}

interface Album<Result> {
  readonly parts: Map<number | undefined, unknown>;
  readonly since: number;
  newestAt: number;
  readonly full: AbortController;
  result: Promise<Result>;
}

/**
 * A poll brings an album as one update a picture, with nothing that says how many there are. They are gathered
 * until no more have come for a moment, and each of them counts as received only when all are. The album stands at the
 * place of its first part; what else is said in the chat meanwhile waits behind it.
 */
export function gathering<Result>(options: GatheringOptions<Result>): Gathering<Result> {
  const { lanes, clock, signal, receive } = options;
  const open = new Map<string, Album<Result>>();

  return {
    take(update) {
      const key = albumOf(update);
      if (key === undefined) return lanes.run(laneOf(update), () => receive([update]));
      const known = open.get(key);
      if (known === undefined) return begin(key, update);
      add(known, update);
      return known.result;
    },
    get isOpen() {
      return open.size > 0;
    },
  };

  function begin(key: string, update: unknown): Promise<Result> {
    const now = clock.now();
    const album: Album<Result> = {
      ...{ parts: new Map(), since: now, newestAt: now, full: new AbortController() },
      result: lanes.run(laneOf(update), async () => {
        try {
          await untilQuiet(album);
        } finally {
          open.delete(key);
        }
        return receive([...album.parts.values()]);
      }),
    };
    open.set(key, album);
    add(album, update);
    return album.result;
  }

  function add(album: Album<Result>, update: unknown): void {
    album.parts.set(updateIdOf(update), update);
    album.newestAt = clock.now();
    if (album.parts.size >= ALBUM_MAX_ITEMS) album.full.abort();
  }

  async function untilQuiet(album: Album<Result>): Promise<void> {
    const { since, full } = album;
    for (;;) {
      if (signal.aborted) throw new AntlerError('unavailable', 'The channel stops.', { retryable: true });
      const wait = Math.min(album.newestAt + ALBUM_QUIET_MS, since + ALBUM_MOST_MS) - clock.now();
      if (wait <= 0 || full.signal.aborted) return;
      await clock.sleep(wait, AbortSignal.any([signal, full.signal])).catch(() => {}); // no need to wait longer
    }
  }
}
