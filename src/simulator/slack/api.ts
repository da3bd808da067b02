import { ApiError, RateLimited } from './api-error.ts';
import type { Call } from './methods/index.ts';
import { methodNamed } from './methods/index.ts';
import type { App } from './model.ts';
import type { Params } from './params.ts';
import type { Rates } from './rates.ts';
import type { World } from './world.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly error?: string;
}

/** The Web API: one call in, one answer out. */
export class Api {
  readonly #world: World;
  readonly #rates: Rates;
  /** Opens the door for a Socket Mode connection of this app and says where it is. */
  readonly #openSocket: (app: App) => string;

  constructor(world: World, rates: Rates, openSocket: (app: App) => string) {
    this.#world = world;
    this.#rates = rates;
    this.#openSocket = openSocket;
  }

  appOf(token: string | undefined): App | undefined {
    return this.#world.apps.find(({ botToken, appToken }) => token === botToken || token === appToken);
  }

  answer(method: string, params: Params, token: string | undefined): Answer {
    try {
      return ok(this.#run(method, params, token), this.appOf(token));
    } catch (error) {
      return refusal(error);
    }
  }

  #run(method: string, params: Params, token: string | undefined): object {
    if (token === undefined) throw new ApiError('not_authed');
    const app = this.appOf(token);
    if (app === undefined) throw new ApiError('invalid_auth');
    const isAppToken = token === app.appToken;
    if (method === 'apps.connections.open') {
      if (!isAppToken) throw new ApiError('not_allowed_token_type');
      return { url: this.#openSocket(app) };
    }
    const { scopes, run } = methodNamed(method);
    if (isAppToken) throw new ApiError('not_allowed_token_type');
    if (scopes.length > 0 && !scopes.some((scope) => app.scopes.has(scope))) {
      throw new ApiError('missing_scope', { needed: scopes[0], provided: [...app.scopes].join(',') });
    }
    const call: Call = { world: this.#world, app, params, rates: this.#rates };
    return run(call);
  }
}

const json = (body: object): string => JSON.stringify(body);

const ok = (result: object, app: App | undefined): Answer => ({
  status: 200,
  headers: { 'x-oauth-scopes': [...(app?.scopes ?? [])].join(',') },
  body: json({ ok: true, ...result }),
});

/** Everything but a rate limit is refused with status 200. */
export function refusal(error: unknown): Answer {
  if (error instanceof RateLimited) {
    return {
      status: 429,
      headers: { 'retry-after': String(error.retryAfter) },
      body: json({ ok: false, error: 'ratelimited' }),
      error: 'ratelimited',
    };
  }
  if (!(error instanceof ApiError)) throw error;
  return {
    status: 200,
    headers: {},
    body: json({ ok: false, error: error.error, ...error.details }),
    error: error.error,
  };
}
