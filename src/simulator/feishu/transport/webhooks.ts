import { randomBytes } from 'node:crypto';
import { encryptEvent, signEvent } from '../crypto.ts';
import type { Push } from '../events.ts';
import type { App } from '../model.ts';
import type { World } from '../world.ts';
import type { Receipt } from './index.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly verificationToken: string;
  /** Absent: events come in the clear, and only the token tells who sent them. */
  readonly encryptKey?: string;
}

/** Posts events to the apps' addresses, encrypted and signed. */
export class Webhooks {
  readonly #world: World;
  readonly #settings = new Map<App, WebhookSettings>();
  readonly #stopping = new AbortController();

  constructor(world: World) {
    this.#world = world;
  }

  has(app: App): boolean {
    return this.#settings.has(app);
  }

  /** Registers an address, which has to answer the challenge as the developer console demands. */
  async set(app: App, settings: WebhookSettings): Promise<void> {
    const challenge = randomBytes(12).toString('hex');
    const body = { challenge, token: settings.verificationToken, type: 'url_verification' };
    const receipt = await this.#post(settings, body, false);
    const echoed = receipt.kind === 'taken' ? (receipt.answer as { challenge?: unknown } | null)?.challenge : undefined;
    if (echoed !== challenge) throw new Error(`The address did not answer the challenge: ${JSON.stringify(receipt)}`);
    this.#settings.set(app, settings);
  }

  async deliver(push: Push): Promise<Receipt> {
    const settings = this.#settings.get(push.app);
    if (settings === undefined) return { kind: 'failed', reason: 'no address' };
    const header = { ...(push.envelope.header as object), token: settings.verificationToken };
    return this.#post(settings, { ...push.envelope, header }, true);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #post({ url, encryptKey }: WebhookSettings, event: object, signed: boolean): Promise<Receipt> {
    const plain = JSON.stringify(event);
    const body = encryptKey === undefined ? plain : JSON.stringify({ encrypt: encryptEvent(plain, encryptKey) });
    const timestamp = String(Math.floor(this.#world.now() / 1_000));
    const nonce = randomBytes(8).toString('hex');
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
    if (signed && encryptKey !== undefined) {
      headers['x-lark-request-timestamp'] = timestamp;
      headers['x-lark-request-nonce'] = nonce;
      headers['x-lark-signature'] = signEvent(timestamp, nonce, encryptKey, body);
    }
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(this.#world.limits.ackMs)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      const text = await response.text();
      if (response.status !== 200) return { kind: 'failed', reason: `HTTP ${response.status}` };
      return { kind: 'taken', answer: jsonOf(text) };
    } catch {
      return { kind: 'failed', reason: 'no answer in time' };
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
