import { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import type { Lanes } from '../../../src/channel/lanes.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import { ALBUM_MOST_MS, ALBUM_QUIET_MS, ALBUM_SWEEP_MS } from '../limits.ts';
import type { AlbumPart } from '../normalize/album.ts';

export interface ShelfOptions {
  readonly state: ChannelState;
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Hands an album to intake; parts that it has already are not handed over again. */
  readonly receive: (group: string, parts: readonly AlbumPart[]) => Promise<void>;
}

interface Kept extends AlbumPart {
  readonly group: string;
  /** When it came, in milliseconds since the epoch. */
  readonly at: number;
}

interface Open {
  readonly chat: string;
  readonly group: string;
}

/** Of one chat; when as many wait to be handed over, Telegram has to keep what comes then. */
const PARTS_MAX = 100;
/** After this long a part is forgotten unless its album still waits. */
const FORGET_MS = 3_600_000;
const OPEN_MAX = 500;

const object = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null);
const keptParts = z.array(object<Kept>());
const openAlbums = z.array(object<Open>());

/**
 * Where parts of albums wait that came by webhook. Telegram posts the next update of a chat only when the one before has
 * been acknowledged, so an album cannot be gathered while its first part waits for an answer: each part is written down,
 * then acknowledged, and the album handed over when nothing more has come for a moment.
 *
 * Parts of one chat are written by one request at a time, since Telegram posts them so, to whichever replica; what has
 * become of them is written down elsewhere. Every replica that got a part looks after the album, and those that got
 * none look every now and then for what a dead one has left. Only of two albums in two chats that begin in the very
 * same moment one may not be found by them.
 */
export class AlbumShelf {
  readonly #options: ShelfOptions;
  /** By chat and group: what waits for it in this process. */
  readonly #watched = new Map<string, Promise<void>>();

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  /** Looks for albums that were left behind, now and then, until the signal aborts. */
  async sweep(): Promise<void> {
    const { clock, signal, log } = this.#options;
    while (!signal.aborted) {
      await this.#takeUp().catch((error: unknown) => log.warn({ err: error }, 'albums could not be looked for'));
      await clock.sleep(ALBUM_SWEEP_MS, signal).catch(() => {}); // stopped
    }
  }

  /** Resolves when nothing is under way any more; the signal has to have aborted. */
  async idle(): Promise<void> {
    await Promise.all(this.#watched.values());
  }

  /** Resolves when the part is durable. Call it in the chat's lane. */
  async put(group: string, part: AlbumPart): Promise<void> {
    const chat = part.message.chat.id;
    const now = this.#options.clock.now();
    const open = await this.#changeOpen((known) =>
      known.some((one) => isSame(one, { chat, group })) ? known : [...known, { chat, group }],
    );
    const waits = (kept: Kept): boolean => open.some((one) => isSame(one, { chat, group: kept.group }));
    const parts = (await this.#partsIn(chat)).filter((kept) => kept.at > now - FORGET_MS || waits(kept));
    if (!parts.some((known) => known.message.id === part.message.id)) {
      if (parts.length >= PARTS_MAX) throw new AntlerError('unavailable', FULL, { retryable: true });
      await this.#options.state.set(partsKey(chat), JSON.stringify([...parts, { ...part, group, at: now }]));
    }
    void this.#watch({ chat, group }); // it never rejects
  }

  /**
   * Hands over at once what somebody who is saying something else has shown before it; what cannot be handed over now
   * stays, and does not keep back what comes behind it. Call it in the chat's lane.
   */
  async close(chat: string, user: string): Promise<void> {
    for (const album of this.#watchedIn(chat)) {
      try {
        const parts = await this.#partsOf(album);
        if (parts.some(({ message }) => message.sender.id === user)) await this.#handOver(album);
      } catch (error) {
        this.#options.log.warn({ err: error }, 'intake did not take an album; it stays');
      }
    }
  }

  #watch(album: Open): Promise<void> {
    const name = nameOf(album);
    const known = this.#watched.get(name);
    if (known !== undefined) return known;
    const over = this.#handOverWhenQuiet(album);
    this.#watched.set(name, over);
    return over;
  }

  #watchedIn(chat: string): Open[] {
    const albums = [...this.#watched.keys()].map((name) => JSON.parse(name) as [string, string]);
    return albums.filter(([there]) => there === chat).map(([, group]) => ({ chat, group }));
  }

  /** Never rejects: what could not be handed over stays on the shelf. */
  async #handOverWhenQuiet(album: Open): Promise<void> {
    const { clock, signal, lanes, log } = this.#options;
    // Clocks of replicas may differ; whatever they say, nobody waits longer.
    const latest = clock.now() + ALBUM_MOST_MS;
    for (let failures = 0; !signal.aborted; ) {
      await clock.sleep(failures === 0 ? ALBUM_QUIET_MS : backoffMs(failures), signal).catch(() => {}); // stopped
      if (signal.aborted) return;
      try {
        const isOver = await lanes.run(album.chat, async () => {
          const newest = Math.max(0, ...(await this.#partsOf(album)).map(({ at }) => at));
          if (clock.now() < Math.min(newest + ALBUM_QUIET_MS, latest)) return false;
          await this.#handOver(album);
          this.#watched.delete(nameOf(album)); // in the lane, so that a part behind it is watched anew
          return true;
        });
        if (isOver) return;
        failures = 0;
      } catch (thrown) {
        failures++;
        const error = asAntlerError(thrown);
        log.warn({ code: error.code, problem: error.message, failures }, 'intake did not take an album; it stays');
      }
    }
  }

  async #handOver(album: Open): Promise<void> {
    const parts = await this.#partsOf(album);
    if (parts.length > 0) await this.#options.receive(album.group, parts);
  }

  async #takeUp(): Promise<void> {
    const open = openAlbums.parse(JSON.parse((await this.#options.state.get(OPEN_KEY)) ?? '[]'));
    if (open.length === 0) return;
    await Promise.all(open.map((album) => this.#watch(album)));
    if (this.#options.signal.aborted) return;
    await this.#changeOpen((now) => now.filter((one) => !open.some((taken) => isSame(one, taken))));
  }

  #changeOpen(change: (open: readonly Open[]) => readonly Open[]): Promise<readonly Open[]> {
    const { lanes, state } = this.#options;
    return lanes.run(OPEN_KEY, async () => {
      const open = openAlbums.parse(JSON.parse((await state.get(OPEN_KEY)) ?? '[]'));
      const changed = change(open);
      if (changed !== open) await state.set(OPEN_KEY, JSON.stringify(changed.slice(-OPEN_MAX)));
      return changed;
    });
  }

  async #partsOf({ chat, group }: Open): Promise<readonly Kept[]> {
    return (await this.#partsIn(chat)).filter((part) => part.group === group);
  }

  async #partsIn(chat: string): Promise<readonly Kept[]> {
    return keptParts.parse(JSON.parse((await this.#options.state.get(partsKey(chat))) ?? '[]'));
  }
}

const FULL = 'More pictures wait to be taken in than can be kept.';
const isSame = (a: Open, b: Open): boolean => a.chat === b.chat && a.group === b.group;
const nameOf = ({ chat, group }: Open): string => JSON.stringify([chat, group]);
const OPEN_KEY = 'albums-open';
const partsKey = (chat: string): string => `album-parts:${chat}`;
