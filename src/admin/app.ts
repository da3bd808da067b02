import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { asAntlerError } from '../base/errors.ts';
import { failureResponse, jsonResponse } from '../base/http.ts';
import type { Logger } from '../base/logger.ts';
import type { OwnerGuard } from './guard.ts';
import { withSecurityHeaders } from './headers.ts';
import { webhookRefusals } from './webhook-refusals.ts';

/** Can this process do its work now? `reasons` say what is wrong and what to do, without secrets. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

export interface HttpAppOptions {
  readonly guard: OwnerGuard;
  /** Mounted at `/api/v1/setup`. */
  readonly setup: Hono;
  /** Mounted at `/api/v1/operations`. */
  readonly operations: Hono;
  /** The pages of adapters; the first that knows the path answers. */
  readonly pages: readonly ((request: Request) => Promise<Response | null>)[];
  /** Null: there is no channel of that name, or it takes no webhooks. */
  readonly webhooks: (name: string, request: Request) => Promise<Response | null>;
  /** More to say in `/healthz`; that it answers is what counts. */
  readonly health: () => Readonly<Record<string, unknown>>;
  readonly ready: () => Promise<Readiness>;
  readonly log: Logger;
}

/**
 * All of Antler's HTTP. Webhooks and probes are for other machines and go without the guard: webhooks carry the
 * platform's signature, which their adapter checks over the untouched body.
 */
export function createHttpApp(options: HttpAppOptions): Hono<{ Bindings: HttpBindings }> {
  const { guard, setup, operations, pages, webhooks, health, ready, log } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const noteRefusal = webhookRefusals(log);

  app.use(async (c, next) => {
    await next();
    c.res = withSecurityHeaders(c.res);
  });

  app.get('/healthz', () => jsonResponse(200, { ...health(), status: 'ok' }));
  app.get('/readyz', async () => {
    const state = await ready();
    return jsonResponse(state.ready ? 200 : 503, {
      status: state.ready ? 'ready' : 'not ready',
      reasons: state.reasons,
    });
  });

  app.all('/webhooks/:name', async (c) => {
    const name = c.req.param('name');
    const answer = await webhooks(name, c.req.raw);
    if (answer !== null) noteRefusal(name, answer);
    return answer ?? failureResponse(404, 'not_found', 'There is no such webhook.');
  });

  app.use(async (c, next) => {
    const refusal = await guard.check(c.req.raw, c.env?.incoming?.socket.remoteAddress ?? 'unknown');
    if (refusal !== null) return refusal;
    return next();
  });

  app.route('/api/v1/setup', setup);
  app.route('/api/v1/operations', operations);
  app.all('*', async (c) => {
    for (const page of pages) {
      const answer = await page(c.req.raw);
      if (answer !== null) return answer;
    }
    return failureResponse(404, 'not_found', 'There is nothing at this address.');
  });

  app.onError((thrown, c) => {
    log.error({ path: c.req.path, error: asAntlerError(thrown).message }, 'a request failed');
    return withSecurityHeaders(failureResponse(500, 'internal', 'Something went wrong here; the log says more.'));
  });
  return app;
}
