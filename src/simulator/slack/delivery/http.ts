import { createHmac } from 'node:crypto';
import type { App } from '../model.ts';
import type { Attempt, Handout, Route } from './link.ts';

/** The signature of a request. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function signature(secret: string, timestamp: string, body: string | Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}

/** The body of a request: events as JSON, all else as a form. */
export function bodyOf({ kind, body }: Handout): { readonly text: string; readonly type: string } {
  if (kind === 'events_api') return { text: JSON.stringify(body), type: 'application/json' };
  const fields = kind === 'interactive' ? { payload: JSON.stringify(body) } : (body as Record<string, string>);
  return { text: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
}

/** By signed HTTP requests to the app's address. */
export class HttpRoute implements Route {
  readonly #app: App;
  readonly #now: () => number;
  readonly #ackMs: number;
  readonly #stopping: AbortSignal;

  constructor(app: App, { now, ackMs, stopping }: { now: () => number; ackMs: number; stopping: AbortSignal }) {
    this.#app = app;
    this.#now = now;
    this.#ackMs = ackMs;
    this.#stopping = stopping;
  }

  async attempt(
    handout: Handout,
    retry: { readonly number: number; readonly reason: string } | undefined,
  ): Promise<Attempt> {
    const { text, type } = bodyOf(handout);
    const timestamp = String(Math.floor(this.#now() / 1_000));
    try {
      const response = await fetch(this.#app.requestUrl ?? '', {
        method: 'POST',
        headers: {
          'content-type': type,
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': signature(this.#app.signingSecret, timestamp, text),
          ...(retry === undefined
            ? {}
            : { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }),
        },
        body: text,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(this.#ackMs), this.#stopping]),
      });
      const answer = await response.text();
      if (response.ok) return { kind: 'acknowledged', response: answer };
      return { kind: 'failed', reason: 'http_error', final: response.headers.get('x-slack-no-retry') === '1' };
    } catch (error) {
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
      return { kind: 'failed', reason: isTimeout ? 'http_timeout' : 'connection_failed', final: false };
    }
  }
}
