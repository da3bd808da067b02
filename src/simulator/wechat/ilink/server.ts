import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoopbackServer } from '../../kit/loopback-server.ts';
import type { Calls } from './calls.ts';
import type { Fault, Faults } from './faults.ts';
import { type Answer, json, type Request } from './http.ts';

export interface IlinkServerOptions {
  readonly faults: Faults;
  readonly calls: Calls;
  readonly now: () => number;
  /** Null: there is nothing at this path. */
  readonly route: (path: string) => ((request: Request) => Promise<Answer>) | null;
}

/** The HTTP face of the simulator: what is called, what goes wrong, and the end of it all. */
export class IlinkServer extends LoopbackServer {
  readonly #options: IlinkServerOptions;

  constructor(options: IlinkServerOptions) {
    super((request, response) => this.#handle(request, response));
    this.#options = options;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { faults, calls, now, route } = this.#options;
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    const bytes = await bodyOf(incoming);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const query = Object.fromEntries(url.searchParams);
    const method = url.pathname.split('/').at(-1) ?? '';
    const body = headers['content-type']?.includes('json') === true ? parsed(bytes) : undefined;
    calls.add({ method, headers, query, body, at: now() });
    const handler = route(url.pathname);
    if (handler === null) return send(response, { status: 404, body: Buffer.from('not found') });
    const signal = this.#goneOf(response);
    const run = (): Promise<Answer> => handler({ verb: incoming.method ?? '', headers, query, body, bytes, signal });
    const fault = faults.take(method);
    if (fault !== undefined && (await this.#misbehave(fault, run, response))) return;
    send(response, await run());
  }

  /** False: the call goes on as usual. */
  async #misbehave(fault: Fault, run: () => Promise<Answer>, response: ServerResponse): Promise<boolean> {
    switch (fault.kind) {
      case 'refuse': {
        const { kind: _, ...said } = fault;
        send(response, json(said));
        return true;
      }
      case 'raw':
        send(response, { status: fault.status, headers: looksOf(fault.body), body: Buffer.from(fault.body) });
        return true;
      case 'hang':
        return true;
      case 'drop':
        if (fault.processed) await run();
        response.destroy();
        return true;
      case 'delay':
        await sleep(fault.ms, undefined, { signal: this.stopping });
        return false;
      default:
        return fault satisfies never;
    }
  }

  /** Aborts when the caller hangs up, and when the server stops. */
  #goneOf(response: ServerResponse): AbortSignal {
    const gone = new AbortController();
    const leave = (): void => {
      gone.abort();
      this.stopping.removeEventListener('abort', leave);
    };
    response.once('close', leave);
    this.stopping.addEventListener('abort', leave, { once: true });
    return gone.signal;
  }
}

/** The whole body, joined before it is decoded, so that no character is cut by a packet's end. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers, 'content-length': body.length });
  response.end(body);
}

const looksOf = (body: string): Record<string, string> =>
  body.startsWith('<html') ? { 'content-type': 'text/html' } : {};
