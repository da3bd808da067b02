import type { TelegramLimits } from './limits.ts';
import { isRecord } from './params.ts';
import { unixSeconds } from './time.ts';
import type { UpdateQueue } from './update-queue.ts';
import type { WireUpdate } from './wire.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
  readonly maxConnections: number;
}

/** Runs a method that came as the webhook's answer. */
export type AnswerHandler = (answer: Readonly<Record<string, unknown>>) => Promise<void>;

/**
 * Posts a bot's updates to its address, each again until it is answered with 2xx: several at once, but those of one chat
 * one after the other, as the real server does (WebhookActor in https://github.com/tdlib/telegram-bot-api).
 */
export class Webhook {
  readonly #updates: UpdateQueue;
  readonly #limits: TelegramLimits;
  readonly #onAnswer: AnswerHandler;
  #settings: WebhookSettings | undefined;
  #stopped = new AbortController();
  /** The chats of the updates under way. */
  readonly #busy = new Set<string>();
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #lastError: { readonly at: number; readonly message: string } | undefined;

  constructor(updates: UpdateQueue, limits: TelegramLimits, onAnswer: AnswerHandler) {
    this.#updates = updates;
    this.#limits = limits;
    this.#onAnswer = onAnswer;
  }

  get active(): boolean {
    return this.#settings !== undefined;
  }

  set(settings: WebhookSettings): void {
    this.clear();
    this.#stopped = new AbortController();
    this.#settings = settings;
    this.#updates.onArrival = () => this.#deliver();
    this.#deliver();
  }

  clear(): void {
    this.#settings = undefined;
    this.#updates.onArrival = undefined;
    this.#stopped.abort();
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#failures = 0;
    this.#lastError = undefined;
  }

  /** What getWebhookInfo says. */
  info(): Record<string, unknown> {
    return {
      url: this.#settings?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: this.#updates.pendingCount,
      ...(this.#settings === undefined ? {} : { max_connections: this.#settings.maxConnections }),
      ...(this.#lastError === undefined
        ? {}
        : { last_error_date: unixSeconds(this.#lastError.at), last_error_message: this.#lastError.message }),
      ...(this.#updates.allowed.length === 0 ? {} : { allowed_updates: this.#updates.allowed }),
    };
  }

  #deliver(): void {
    const settings = this.#settings;
    if (settings === undefined || this.#retry !== undefined) return;
    while (this.#busy.size < settings.maxConnections) {
      const update = this.#updates.shift((candidate) => !this.#busy.has(queueOf(candidate)));
      if (update === undefined) return;
      const queue = queueOf(update);
      this.#busy.add(queue);
      void this.#post(update, settings, this.#stopped.signal).finally(() => {
        this.#busy.delete(queue);
        this.#deliver();
      });
    }
  }

  async #post(update: WireUpdate, { url, secret }: WebhookSettings, stopped: AbortSignal): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret === '' ? {} : { 'x-telegram-bot-api-secret-token': secret }),
        },
        body: JSON.stringify(update),
        redirect: 'manual',
        signal: AbortSignal.any([stopped, AbortSignal.timeout(this.#limits.webhookTimeoutMs)]),
      });
      const body = await response.text();
      if (!response.ok) {
        this.#failed(
          update,
          `Wrong response from the webhook: ${response.status} ${response.statusText}`.trim(),
          stopped,
        );
        return;
      }
      this.#failures = 0;
      const answer = parseAnswer(body);
      if (answer !== undefined) await this.#onAnswer(answer);
    } catch (error) {
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      this.#failed(update, timedOut ? 'Read timeout expired' : 'Connection refused', stopped);
    }
  }

  #failed(update: WireUpdate, message: string, stopped: AbortSignal): void {
    this.#updates.giveBack(update);
    if (stopped.aborted) return;
    this.#lastError = { at: Date.now(), message };
    const wait = this.#limits.webhookRetryMs * 2 ** Math.min(this.#failures, 6);
    this.#failures += 1;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#deliver();
    }, wait);
  }
}

/** An answer may be a method call with its parameters; anything else means nothing. */
function parseAnswer(body: string): Record<string, unknown> | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(body) as Record<string, unknown>;
    return typeof parsed.method === 'string' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Updates in one queue wait for one another. */
function queueOf(update: WireUpdate): string {
  for (const content of Object.values(update)) {
    const chat = isRecord(content) && isRecord(content.chat) ? content.chat.id : undefined;
    if (chat !== undefined) return String(chat);
  }
  return `update ${update.update_id}`;
}
