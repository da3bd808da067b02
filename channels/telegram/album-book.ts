import { z } from 'zod';
import { Lanes } from '../../src/channel/lanes.ts';
import type { Addressed, InboundFile } from '../../src/channel/message.ts';
import type { ChannelState } from '../../src/channel/port.ts';

/** What became of an album so far. */
export interface KeptAlbum {
  readonly group: string;
  /** How one of its parts addressed the bot. */
  readonly addressed: Addressed;
  readonly author: string;
  readonly text: string;
  /** Normally one. */
  readonly messages: readonly KeptMessage[];
}

export interface KeptMessage {
  /** The message id under which these parts were, or are about to be, taken in. */
  readonly id: string;
  readonly parts: readonly string[];
  /** Intake has them. */
  readonly done: boolean;
  readonly files: readonly InboundFile[];
}

/** Albums remembered of one chat; parts of older ones do not come any more. */
const ALBUMS_MAX = 10;

const keptAlbums = z.array(z.custom<KeptAlbum>((value) => typeof value === 'object' && value !== null));

/**
 * The newest albums of each chat, for all replicas and over restarts: which parts were taken in under which id, so that
 * a redelivery is known however it is gathered the second time, and how the album addressed the bot, which in a group
 * only its captioned part does. Two replicas that write about one chat at once may forget one of two albums; then its
 * late parts address nobody, and a redelivery is told from the first by its parts' own ids.
 */
export class AlbumBook {
  readonly #state: ChannelState;
  readonly #lanes = new Lanes();

  constructor(state: ChannelState) {
    this.#state = state;
  }

  async find(chat: string, group: string): Promise<KeptAlbum> {
    const known = (await this.#read(chat)).find((album) => album.group === group);
    return known ?? { group, addressed: 'none', author: '', text: '', messages: [] };
  }

  /** Writes down what `change` makes of an album, and returns it. */
  change(chat: string, group: string, change: (album: KeptAlbum) => KeptAlbum): Promise<KeptAlbum> {
    return this.#lanes.run(chat, async () => {
      const changed = change(await this.find(chat, group));
      const others = (await this.#read(chat)).filter((album) => album.group !== group);
      await this.#state.set(keyOf(chat), JSON.stringify([...others, changed].slice(-ALBUMS_MAX)));
      return changed;
    });
  }

  async #read(chat: string): Promise<KeptAlbum[]> {
    const kept = await this.#state.get(keyOf(chat));
    return kept === null ? [] : keptAlbums.parse(JSON.parse(kept));
  }
}

const keyOf = (chat: string): string => `album:${chat}`;
