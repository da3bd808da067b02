import { z } from 'zod';
import { readBody } from '../base/body.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, readJson } from '../base/http.ts';
import type { Settings } from '../store/port.ts';
import { clearedCookie, readCookie, sessionCookie } from './cookie.ts';
import { createGuesses } from './guesses.ts';
import { loginPage, publicPart } from './login-page.ts';
import { isOpen, type Reach, refuseForeign } from './origin.ts';
import type { OwnerToken } from './owner-token.ts';
import { createSessions } from './sessions.ts';

/** Stands before the owner's pages and API. */
export interface OwnerGuard {
  /** Null: let it pass. Otherwise the answer: a refusal, the login page, or what `/api/v1/session` says. */
  check(request: Request, address: string): Promise<Response | null>;
}

export interface OwnerGuardOptions extends Reach {
  readonly token: OwnerToken;
  /** Where the sessions are kept. */
  readonly settings: Settings;
  readonly clock?: Clock;
}

const MAX_BODY_BYTES = 4_096;
const login = z.object({ token: z.string().min(1).max(512) });

/**
 * On loopback everybody at this machine is the owner, but no web page in their browser is: host and origin are
 * checked. Bound to any other address, or published by a proxy, the owner's token is asked for, by a cookie that
 * `POST /api/v1/session` sets or as `Authorization: Bearer`.
 */
export function ownerGuard(options: OwnerGuardOptions): OwnerGuard {
  const { token, settings, publicUrl, clock = systemClock } = options;
  const sessions = createSessions(settings, clock);
  const guesses = createGuesses(clock);
  const secure = publicUrl !== undefined && URL.parse(publicUrl)?.protocol === 'https:';

  /** Throws `rate_limited` before it looks at the token, so that a right guess among many is not told either. */
  const tryToken = async (candidate: string, address: string): Promise<boolean> => {
    const waitMs = guesses.waitMs(address);
    if (waitMs > 0)
      throw new AntlerError('rate_limited', 'Too many wrong tokens. Try again later.', { retryAfterMs: waitMs });
    const right = await token.matches(candidate);
    if (!right) guesses.failed(address);
    return right;
  };

  const signedIn = async (request: Request, address: string): Promise<boolean> => {
    if (isOpen(options, request)) return true;
    const bearer = /^Bearer (.{1,512})$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) return await tryToken(bearer, address);
    const secret = readCookie(request);
    return secret !== null && (await sessions.valid(secret));
  };

  const session = async (request: Request, address: string): Promise<Response> => {
    switch (request.method) {
      case 'GET':
        return jsonResponse(200, {
          needs_login: !isOpen(options, request),
          signed_in: await signedIn(request, address),
        });
      case 'POST': {
        const { token: candidate } = readBody(login, await readJson(request, MAX_BODY_BYTES));
        if (!(await tryToken(candidate.trim(), address)))
          return failureResponse(401, 'unauthorized', 'This is not the owner’s token.');
        return jsonResponse(200, { signed_in: true }, { 'set-cookie': sessionCookie(await sessions.open(), secure) });
      }
      case 'DELETE': {
        const secret = readCookie(request);
        if (secret !== null) await sessions.close(secret);
        return jsonResponse(200, { signed_in: false }, { 'set-cookie': clearedCookie(secure) });
      }
      default:
        return failureResponse(405, 'unsupported', 'This path does not take this method.', {
          allow: 'GET, POST, DELETE',
        });
    }
  };

  const decide = async (request: Request, address: string): Promise<Response | null> => {
    const refusal = refuseForeign(options, request);
    if (refusal !== null) return failureResponse(refusal.status, refusal.code, refusal.message);
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/session') return await session(request, address);
    if (request.method === 'GET' && pathname.startsWith('/assets/')) return await publicPart(pathname, request);
    if (await signedIn(request, address)) return null;
    if (request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html'))
      return await loginPage(request);
    return failureResponse(401, 'unauthorized', 'Sign in with the owner’s token first.', {
      'www-authenticate': 'Bearer realm="antler"',
    });
  };

  return {
    check: async (request, address) => {
      try {
        return await decide(request, address);
      } catch (thrown) {
        // Fail closed: a guard that cannot decide lets nobody pass.
        const error = asAntlerError(thrown);
        if (error !== thrown) return failureResponse(503, 'unavailable', 'The login cannot be checked at the moment.');
        const response = errorResponse(error);
        if (error.retryAfterMs !== undefined)
          response.headers.set('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
        return response;
      }
    },
  };
}
