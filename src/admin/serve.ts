import type { HttpBindings } from '@hono/node-server';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { AntlerError } from '../base/errors.ts';

export interface HttpServer {
  /** Where it is reached from this machine, e.g. `http://127.0.0.1:2026`. */
  readonly url: string;
  /** Takes no new requests, lets those in flight end for `graceMs`, then cuts what is left (open event streams). */
  close(graceMs?: number): Promise<void>;
}

export interface ServeOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

const GRACE_MS = 1_000;

/** Serves the app. Rejects with what to do when the address cannot be had. */
export async function serveHttp(app: Hono<{ Bindings: HttpBindings }>, options: ServeOptions): Promise<HttpServer> {
  const { host, port } = options;
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  // The globals stay as they are: other libraries of this process use them too.
  const server = serve({ fetch: app.fetch, hostname: host, port, overrideGlobalObjects: false }, (info) =>
    resolve(info.port),
  );
  server.once('error', (error) => reject(bindError(error, options)));
  const bound = await listening;
  return {
    url: `http://${urlHost(host)}:${bound}`,
    close: async (graceMs = GRACE_MS) => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      if ('closeIdleConnections' in server) server.closeIdleConnections();
      const cut = setTimeout(() => {
        if ('closeAllConnections' in server) server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** A browser cannot open 0.0.0.0. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function bindError(cause: Error, { host, port }: ServeOptions): AntlerError {
  switch ('code' in cause ? cause.code : undefined) {
    case 'EADDRINUSE':
      return new AntlerError(
        'conflict',
        `Port ${port} on ${host} is taken. Is Antler running already? Stop it, or set server.port to another port.`,
        { cause },
      );
    case 'EACCES':
      return new AntlerError('forbidden', `Port ${port} needs more rights; set server.port above 1023.`, { cause });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new AntlerError('config_invalid', `This machine has no address ${host}; check server.host.`, { cause });
    default:
      return new AntlerError('unavailable', `Cannot listen on ${host}:${port}: ${cause.message}`, { cause });
  }
}
