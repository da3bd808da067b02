import { createHash } from 'node:crypto';
import { z } from 'zod';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Doc } from '../../../src/format/index.ts';
import type { OpenApi } from '../api.ts';
import { CARD_CODE, refusedWith } from '../errors.ts';
import { SEQUENCE_MAX } from '../limits.ts';
import { ANSWER_ID, summaryOf } from './card.ts';
import { renderCardMarkdown } from './render-card.ts';
import { shown } from './shown.ts';

const CARDS_MAX = 2_000;

/** Changes of a card are numbered; numbers go up by four a second from here, enough until 2043. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const SEQUENCES_PER_SECOND = 4;
/** By how much the clocks of two replicas may differ, in numbers. */
const SEQUENCE_LEAP = 30 * SEQUENCES_PER_SECOND;

interface Card {
  readonly id: string;
  sequence: number;
  /** False once the platform or we have ended it. */
  streams: boolean;
}

const convertedShape = z.object({ data: z.object({ card_id: z.string().min(1) }) });

/**
 * Cards whose text grows, through CardKit. A card is known by the message that shows it, so that any replica can go on
 * with one that another has begun; its changes are numbered by the clock for the same reason.
 */
export class StreamingCards {
  readonly #api: OpenApi;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cards = new BoundedMap<string, Card>(CARDS_MAX);

  constructor(api: OpenApi, clock: Pick<Clock, 'now'>) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Finds the card behind a message. Rejects where CardKit may not be used or the message is no card. */
  async find(messageId: string): Promise<void> {
    if (this.#cards.get(messageId) !== undefined) return;
    const body = { message_id: messageId };
    const answer = await this.#api.call('POST', '/cardkit/v1/cards/id_convert', { body, idempotent: true });
    const { card_id: id } = convertedShape.parse(answer).data;
    this.#cards.set(messageId, { id, sequence: 0, streams: true });
  }

  /** Shows a stand of a growing answer; `whole` is the card to show when it does not stream any more. */
  async grow(messageId: string, document: Doc, key: string, whole: object): Promise<void> {
    const card = this.#card(messageId);
    if (card.streams && (await this.#write(card, document, key))) return;
    await this.#replace(card, whole, key);
  }

  /** Shows the finished answer and ends the stream. `whole` is shown where text alone does not do. */
  async finish(messageId: string, document: Doc, key: string, whole: object, needsWhole: boolean): Promise<void> {
    const card = this.#card(messageId);
    const isWritten = !needsWhole && card.streams && (await this.#write(card, document, `${key}/text`));
    if (!isWritten) return this.#replace(card, whole, key);
    try {
      const settings = JSON.stringify({ config: { streaming_mode: false, summary: { content: summaryOf(document) } } });
      await this.#change(card, 'PATCH', `/settings`, { settings }, `${key}/close`);
      card.streams = false;
    } catch (error) {
      // The text is there; a card that is not closed now closes by itself, but would say until then that it is written.
      if (asAntlerError(error).code === 'rate_limited') throw error;
      await this.#replace(card, whole, key);
    }
  }

  forget(messageId: string): void {
    this.#cards.delete(messageId);
  }

  #card(messageId: string): Card {
    const card = this.#cards.get(messageId);
    if (card === undefined) throw new AntlerError('internal', 'The card was not looked for.');
    return card;
  }

  /** False when the card does not stream any more. */
  async #write(card: Card, document: Doc, key: string): Promise<boolean> {
    const content = shown(renderCardMarkdown(document));
    try {
      await this.#change(card, 'PUT', `/elements/${ANSWER_ID}/content`, { content }, key);
      return true;
    } catch (error) {
      const { streamingClosed, streamingTimeout, elementMissing } = CARD_CODE;
      if (!refusedWith(error, streamingClosed, streamingTimeout, elementMissing)) throw error;
      card.streams = false;
      return false;
    }
  }

  async #replace(card: Card, whole: object, key: string): Promise<void> {
    await this.#change(card, 'PUT', '', { card: { type: 'card_json', data: JSON.stringify(whole) } }, `${key}/whole`);
    card.streams = false;
  }

  /** Numbers a change and makes it; once more when another replica's clock was ahead. */
  async #change(card: Card, method: 'PUT' | 'PATCH', path: string, body: object, key: string): Promise<void> {
    const make = (): Promise<unknown> => {
      const sequence = this.#next(card);
      const uuid = createHash('sha256').update(`${sequence}\n${key}`).digest('base64url');
      const options = { body: { ...body, sequence, uuid }, idempotent: true };
      return this.#api.call(method, `/cardkit/v1/cards/${encodeURIComponent(card.id)}${path}`, options);
    };
    try {
      await make();
    } catch (error) {
      if (!refusedWith(error, CARD_CODE.sequenceTooSmall)) throw error;
      card.sequence += SEQUENCE_LEAP;
      await make();
    }
  }

  #next(card: Card): number {
    const byClock = Math.floor(((this.#clock.now() - EPOCH_MS) / 1_000) * SEQUENCES_PER_SECOND);
    card.sequence = Math.min(SEQUENCE_MAX, Math.max(1, byClock, card.sequence + 1));
    return card.sequence;
  }
}
