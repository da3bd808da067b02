import { createHash } from 'node:crypto';
import { z } from 'zod';
import { keptJson } from '../../../src/base/kept-json.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { ChannelState, Target } from '../../../src/channel/port.ts';
import { RESPONSE_URL_MS } from '../limits.ts';

/** Where one message can be answered, and what stands there so far. */
const placeShape = z.object({
  id: z.string(),
  /** Of the message that is answered. */
  message: z.string(),
  /** `stream`: WeCom asks for it again and again. `welcome`: the answer to the request itself. `url`: only by the address. */
  kind: z.enum(['stream', 'welcome', 'url']),
  at: z.number(),
  text: z.string(),
  card: z.unknown().optional(),
  /** `growing` until it is `done`, and `fetched` once WeCom has it; or it is `left` without its end, which comes elsewhere. */
  state: z.enum(['growing', 'done', 'fetched', 'left']),
  /** Takes one further answer within the hour. */
  url: z.string().optional(),
  /** The delivery that answers here. */
  by: z.string().optional(),
  /** It was claimed for an answer that grows, whose end may come from somebody who does not know that. */
  grows: z.boolean().optional(),
});
export type Place = z.output<typeof placeShape>;

const newestShape = z.array(z.string());

/** Rows of one chat: the newest place overwrites the oldest. */
const SLOTS = 32;
/** A place lies in one of so many slots behind its own, so that two that meet can both stay. */
const REACH = 4;
/** Of one chat; for what answers nothing. */
const NEWEST_MAX = 8;

/**
 * The places of all chats, in the channel's memory: any replica may be asked by WeCom, and any may be handed the answer.
 * The memory forgets nothing, so each chat has a fixed number of rows.
 */
export class Places {
  readonly #state: ChannelState;
  readonly #lanes = new Lanes();

  constructor(state: ChannelState) {
    this.#state = state;
  }

  /** Makes room for an answer; a message that is delivered twice finds its place as it is. */
  async open(chat: string, place: Pick<Place, 'message' | 'kind' | 'at' | 'url'>): Promise<Place> {
    const id = placeId(chat, place.message);
    return this.#lanes.run(chat, async () => {
      const known = await this.find(chat, id);
      if (known !== undefined) return known;
      const opened: Place = { ...place, id, text: '', state: 'growing' };
      const slots = await Promise.all(slotsOf(id).map(async (slot) => ({ slot, held: await this.#read(chat, slot) })));
      const [free] = slots.sort((a, b) => (a.held?.at ?? 0) - (b.held?.at ?? 0));
      await this.#write(chat, free?.slot ?? 0, opened);
      const newest = await this.#newest(chat);
      await this.#state.set(newestKey(chat), JSON.stringify([...newest, id].slice(-NEWEST_MAX)));
      return opened;
    });
  }

  async find(chat: string, id: string): Promise<Place | undefined> {
    for (const slot of slotsOf(id)) {
      const held = await this.#read(chat, slot);
      if (held?.id === id) return held;
    }
    return undefined;
  }

  /** Writes down what `change` makes of a place; undefined when there is none any more. */
  change(chat: string, id: string, change: (place: Place) => Place): Promise<Place | undefined> {
    return this.#lanes.run(chat, async () => {
      for (const slot of slotsOf(id)) {
        const held = await this.#read(chat, slot);
        if (held?.id !== id) continue;
        const changed = change(held);
        if (changed !== held) await this.#write(chat, slot, changed);
        return changed;
      }
      return undefined;
    });
  }

  /** Where a delivery may answer: at what it answers, newest first. */
  async answered({ chat, answers = [] }: Target): Promise<Place[]> {
    const found = await Promise.all(answers.map((message) => this.find(chat, placeId(chat, message))));
    return found.filter((place) => place !== undefined).reverse();
  }

  /** Whose address still takes an answer, newest first. */
  async reachable(chat: string, now: number): Promise<Place[]> {
    const newest = await this.#newest(chat);
    const found = await Promise.all(newest.map((id) => this.find(chat, id)));
    return found
      .filter((place) => place !== undefined)
      .filter(({ url, at }) => url !== undefined && now - at < RESPONSE_URL_MS)
      .reverse();
  }

  async #newest(chat: string): Promise<string[]> {
    return keptJson(await this.#state.get(newestKey(chat)), newestShape) ?? [];
  }

  async #read(chat: string, slot: number): Promise<Place | undefined> {
    return keptJson(await this.#state.get(slotKey(chat, slot)), placeShape);
  }

  #write(chat: string, slot: number, place: Place): Promise<void> {
    return this.#state.set(slotKey(chat, slot), JSON.stringify(place));
  }
}

/** Derived, so that every replica and every redelivery comes to the same. */
export const placeId = (chat: string, message: string): string =>
  createHash('sha256').update(`${chat}\n${message}`).digest('hex').slice(0, 32);

function slotsOf(id: string): number[] {
  const own = Number.parseInt(id.slice(0, 6), 16);
  return Array.from({ length: REACH }, (_, step) => (own + step) % SLOTS);
}

const slotKey = (chat: string, slot: number): string => `place:${slot}:${chat}`;
const newestKey = (chat: string): string => `newest:${chat}`;
