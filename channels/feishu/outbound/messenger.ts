import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { plain } from '../../../src/format/index.ts';
import { fetchMessage } from '../lookup/fetch-message.ts';
import { type CardOptions, cardOf } from './card.ts';
import { type Content, cardContent, contentOf, docOf, postContent, textContent } from './content.ts';
import { mentionedIn } from './mention.ts';
import { type Sending, sendContent } from './send.ts';
import { withoutStrangers } from './strangers.ts';
import { StreamingCards } from './streaming-card.ts';

const MESSAGES_MAX = 5_000;
/** After CardKit was refused for lack of its scope, it is tried again this much later. */
const BARRED_MS = 600_000;

type How = 'cardkit' | 'patch' | 'put';

/**
 * Sends, and changes what was sent. A growing answer is a streaming card; where the app may not use CardKit, it is a
 * plain card that is edited. Texts and rich texts are edited as such.
 */
export class Messenger {
  readonly #sending: Sending;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cards: StreamingCards;
  readonly #types = new BoundedMap<string, Content['msg_type']>(MESSAGES_MAX);
  /** Keys of growing answers of whose beginning nobody knows whether it was sent. */
  readonly #doubtful = new BoundedMap<string, true>(MESSAGES_MAX);
  #barredUntil = 0;

  constructor(sending: Sending, clock: Pick<Clock, 'now'>) {
    this.#sending = sending;
    this.#clock = clock;
    this.#cards = new StreamingCards(sending.api, clock);
  }

  send(target: Target, document: Document, options: SendOptions): Promise<SentMessage> {
    return this.#knowing(document, options, (shown) => this.#send(target, shown, options));
  }

  async #send(target: Target, document: Document, options: SendOptions): Promise<SentMessage> {
    if (options.draft === true) return this.#begin(target, document, options);
    const ended = this.#doubtful.get(options.key) === true ? await this.#end(target, document, options) : undefined;
    return ended ?? this.#post(target, contentOf(document, target, options), options);
  }

  /**
   * Sends what is going to grow, under a key of its own: under the same one Feishu would take the whole answer for a
   * repetition of this, and never show it.
   */
  async #begin(target: Target, document: Document, options: SendOptions): Promise<SentMessage> {
    const streams = options.plain !== true && !this.#isBarred;
    const content = streams
      ? cardContent(cardOf(docOf(document, options), cardOptions(target, document, { ...options, streaming: true })))
      : contentOf(document, target, options);
    try {
      const sent = await this.#post(target, content, { ...options, key: `${options.key}/draft` });
      this.#doubtful.delete(options.key);
      return sent;
    } catch (thrown) {
      if (asAntlerError(thrown).code === 'uncertain') this.#doubtful.set(options.key, true);
      throw thrown;
    }
  }

  /** Makes the whole answer of a beginning that may have been sent, so that no half stays beside it. */
  async #end(target: Target, document: Document, options: SendOptions): Promise<SentMessage | undefined> {
    const begun = await this.#begin(target, document, { ...options, draft: true });
    this.#doubtful.set(options.key, true); // the end may be asked for once more, and is this message again
    this.#types.delete(begun.id); // if it was there already, only Feishu knows what it is
    try {
      await this.edit(target, begun.id, document, options);
      return begun;
    } catch (thrown) {
      if (asAntlerError(thrown).code !== 'target_gone') throw thrown;
      this.#doubtful.delete(options.key);
      return undefined;
    }
  }

  async #post(target: Target, content: Content, options: SendOptions): Promise<SentMessage> {
    const sent = await sendContent(this.#sending, target, content, options);
    this.#types.set(sent.id, content.msg_type);
    return sent;
  }

  /** Replaces what a message says. Where that cannot be, the message is taken away and `target_gone` thrown. */
  async edit(target: Target, messageId: string, document: Document, options: SendOptions): Promise<void> {
    const isDraft = options.draft === true;
    try {
      await this.#knowing(document, options, (shown) => this.#edit(target, messageId, shown, options));
    } catch (thrown) {
      const error = asAntlerError(thrown);
      this.#cards.forget(messageId);
      // The answer will be sent anew; half of it beside it would confuse.
      if (error.code === 'target_gone' && !isDraft) await this.delete(messageId).catch(() => {});
      throw error;
    }
  }

  async delete(messageId: string): Promise<void> {
    try {
      const path = `/im/v1/messages/${encodeURIComponent(messageId)}`;
      await this.#sending.api.call('DELETE', path, { idempotent: true });
    } catch (error) {
      if (!(error instanceof AntlerError && error.code === 'target_gone')) throw error;
    }
  }

  /** Plain text mentions nobody. */
  #knowing<Result>(
    document: Document,
    { plain: isPlain }: SendOptions,
    show: (document: Document) => Promise<Result>,
  ): Promise<Result> {
    if (isPlain === true) return show(document);
    return withoutStrangers(document.markdown, this.#sending.names, (markdown) => show({ ...document, markdown }));
  }

  get #isBarred(): boolean {
    return this.#clock.now() < this.#barredUntil;
  }

  async #edit(target: Target, messageId: string, document: Document, options: SendOptions): Promise<void> {
    const how = await this.#howToEdit(messageId);
    const doc = docOf(document, options);
    if (how === 'put') {
      const content = options.plain === true ? textContent(plain(doc)) : postContent(doc);
      return this.#call('PUT', messageId, { ...content }, options);
    }
    const card = cardOf(doc, cardOptions(target, document, { ...options, streaming: false }));
    if (how === 'patch') return this.#call('PATCH', messageId, { content: JSON.stringify(card) }, options);
    const isPlain = options.plain === true;
    if (options.draft === true && !isPlain) return this.#cards.grow(messageId, doc, options.key, card);
    // In a text that streams Feishu does not look who is mentioned: whom it does not know it would show as nothing.
    const mentions = mentionedIn(document.markdown).size > 0;
    const needsWhole = isPlain || mentions || (document.buttons?.length ?? 0) > 0;
    return this.#cards.finish(messageId, doc, options.key, card, needsWhole);
  }

  async #call(
    method: 'PUT' | 'PATCH',
    messageId: string,
    body: Record<string, unknown>,
    { signal }: SendOptions,
  ): Promise<void> {
    const path = `/im/v1/messages/${encodeURIComponent(messageId)}`;
    await this.#sending.api.call(method, path, { body, signal, idempotent: true });
  }

  async #howToEdit(messageId: string): Promise<How> {
    const type = this.#types.get(messageId) ?? (await this.#typeOf(messageId));
    if (type !== 'interactive') return 'put';
    if (this.#isBarred) return 'patch';
    try {
      await this.#cards.find(messageId);
      return 'cardkit';
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.retryable) throw error;
      if (error.code === 'forbidden') this.#barredUntil = this.#clock.now() + BARRED_MS;
      return 'patch';
    }
  }

  /** Of a message that another replica, or this one in an earlier life, has sent. */
  async #typeOf(messageId: string): Promise<Content['msg_type']> {
    const [item] = await fetchMessage(this.#sending.api, messageId);
    const type = item?.msg_type === 'text' || item?.msg_type === 'post' ? item.msg_type : 'interactive';
    this.#types.set(messageId, type);
    return type;
  }
}

const cardOptions = (
  target: Target,
  { buttons }: Document,
  { plain: isPlain, streaming }: Pick<SendOptions, 'plain'> & { readonly streaming: boolean },
): CardOptions => ({
  target,
  ...(buttons === undefined ? {} : { buttons }),
  plain: isPlain === true,
  streaming,
});
