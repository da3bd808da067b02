import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { collectBytes } from '../../base/http.ts';
import type { McpOauth, TokenShelf } from './port.ts';

/** It must not run out on the way. */
const EARLY_MS = 30_000;
/** RFC 6749 only recommends `expires_in`; a token that turns out to be refused is renewed anyway. */
const DEFAULT_SECONDS = 3_600;
const MAX_ANSWER_BYTES = 64 * 1024;

const answerSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional(),
});
const keptSchema = z.object({
  /** Of what is configured: with other credentials it is worth nothing. */
  of: z.string(),
  accessToken: z.string(),
  expiresAt: z.number(),
  refreshToken: z.string().optional(),
});
type Kept = z.output<typeof keptSchema>;

export interface AccessTokenOptions {
  readonly oauth: McpOauth;
  readonly shelf: TokenShelf;
  readonly clock: Pick<Clock, 'now'>;
  readonly timeoutMs: number;
}

/**
 * The token by which a server is asked, got with the client's own credentials (RFC 6749 §4.4) or a refresh token (§6)
 * where there is one; got anew before it runs out or when it was refused. Kept, since many endpoints hand out a new
 * refresh token each time and take the old one no more.
 */
export class AccessToken {
  readonly #options: AccessTokenOptions;
  readonly #of: string;
  #kept: Kept | null | undefined;
  #asking: Promise<string> | undefined;

  constructor(options: AccessTokenOptions) {
    const { tokenUrl, clientId, refreshToken, scope } = options.oauth;
    this.#options = options;
    this.#of = createHash('sha256')
      .update(JSON.stringify([tokenUrl, clientId, refreshToken, scope]))
      .digest('base64url');
  }

  /** What must not be told when something goes wrong. */
  get secrets(): readonly string[] {
    const { clientSecret, refreshToken } = this.#options.oauth;
    return [clientSecret, refreshToken, this.#kept?.accessToken, this.#kept?.refreshToken].filter(
      (secret) => secret !== undefined,
    );
  }

  /** One that is good for now; whoever asks meanwhile waits for the same. @throws AntlerError `unavailable`. */
  get(): Promise<string> {
    this.#asking ??= this.#find().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** The server does not take it, although it should be good. */
  refuse(token: string): void {
    if (this.#kept?.accessToken === token) this.#kept = { ...this.#kept, expiresAt: 0 };
  }

  async #find(): Promise<string> {
    const known = this.#kept === undefined ? await this.#read() : this.#kept;
    this.#kept = known;
    if (known !== null && known.expiresAt - EARLY_MS > this.#options.clock.now()) return known.accessToken;
    const { refreshToken: configured } = this.#options.oauth;
    const used = known?.refreshToken ?? configured;
    try {
      return await this.#renew(used);
    } catch (thrown) {
      // Another process was faster: its new refresh token has replaced the one that was just refused.
      const theirs = await this.#read();
      if (theirs === null || theirs.accessToken === known?.accessToken) throw thrown;
      this.#kept = theirs;
      if (theirs.expiresAt - EARLY_MS > this.#options.clock.now()) return theirs.accessToken;
      return this.#renew(theirs.refreshToken ?? configured);
    }
  }

  async #renew(refreshToken: string | undefined): Promise<string> {
    const answer = await this.#ask(refreshToken);
    const next = answer.refresh_token ?? refreshToken;
    this.#kept = {
      of: this.#of,
      accessToken: answer.access_token,
      expiresAt: this.#options.clock.now() + (answer.expires_in ?? DEFAULT_SECONDS) * 1_000,
      ...(next === undefined ? {} : { refreshToken: next }),
    };
    await this.#options.shelf.write(JSON.stringify(this.#kept));
    return answer.access_token;
  }

  async #ask(refreshToken: string | undefined): Promise<z.output<typeof answerSchema>> {
    const { tokenUrl, clientId, clientSecret, scope, clientAuth } = this.#options.oauth;
    const form = new URLSearchParams(
      refreshToken === undefined
        ? { grant_type: 'client_credentials' }
        : { grant_type: 'refresh_token', refresh_token: refreshToken },
    );
    if (scope !== undefined) form.set('scope', scope);
    const headers: Record<string, string> = { accept: 'application/json' };
    if (clientSecret !== undefined && clientAuth === 'basic') headers.authorization = basic(clientId, clientSecret);
    else {
      form.set('client_id', clientId);
      if (clientSecret !== undefined) form.set('client_secret', clientSecret);
    }
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers,
      body: form,
      redirect: 'error', // the credentials are for this address and no other
      signal: AbortSignal.timeout(this.#options.timeoutMs),
    }).catch(() => {
      throw refused('does not answer');
    });
    const body = await collectBytes(response.body ?? [], MAX_ANSWER_BYTES).then(
      (bytes) => parsed(bytes.toString()),
      () => undefined,
    );
    if (!response.ok) throw refused(`answered ${response.status}${errorIn(body)}`);
    const answer = answerSchema.safeParse(body);
    if (!answer.success) throw refused('answered without a token');
    return answer.data;
  }

  /** Null when nothing is kept that these credentials have brought. */
  async #read(): Promise<Kept | null> {
    const text = await this.#options.shelf.read();
    const kept = keptSchema.safeParse(text === null ? undefined : parsed(text));
    return kept.success && kept.data.of === this.#of ? kept.data : null;
  }
}

/** Asks with the token, at the server's own origin only, and once more with a new one where it was refused. */
export const fetchWithToken =
  (token: AccessToken, server: string) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    if (new URL(url).origin !== new URL(server).origin) return fetch(url, init);
    const first = await token.get();
    const response = await fetch(url, bearing(first, init));
    if (response.status !== 401) return response;
    await response.body?.cancel();
    token.refuse(first);
    return fetch(url, bearing(await token.get(), init));
  };

function bearing(token: string, init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** RFC 6749 §2.3.1: each part is form-encoded first. */
function basic(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

const refused = (what: string): AntlerError =>
  new AntlerError('unavailable', `the token endpoint ${what}`, { retryable: true });

/** The code of RFC 6749 §5.2 and nothing else of what it says. */
function errorIn(body: unknown): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
