import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ModelConfig } from '../port.ts';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: WireBody;
}

export interface WireBody {
  readonly model?: string;
  readonly messages: { readonly role: string; readonly content: string | null }[];
  readonly tools?: { readonly function: { readonly name: string } }[];
  readonly stream_options?: unknown;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** Answers one request, byte for byte. */
export type Script = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface WireServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** What the next requests are answered with, in order; when used up, the last one is used again. */
  script(...scripts: Script[]): void;
  model(more?: Partial<ModelConfig>): ModelConfig;
  close(): Promise<void>;
}

/**
 * A model endpoint that says exactly what a test tells it to, on a free loopback port: for what real endpoints do on
 * the wire and well-behaved stand-ins cannot.
 */
export async function startWireServer({ onConnection = () => {} } = {}): Promise<WireServer> {
  const seen: SeenRequest[] = [];
  let scripts: Script[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const one: SeenRequest = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(body === '' ? '{"messages":[]}' : body) as WireBody,
    };
    seen.push(one);
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    if (script === undefined) await status(500, { error: { message: 'no script' } })(response, one);
    else await script(response, one);
  });
  server.on('connection', onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/v1`;
  return {
    url,
    seen,
    script: (...next) => {
      scripts = next;
      seen.length = 0;
    },
    model: (more = {}) => ({
      name: 'main',
      baseUrl: url,
      apiKey: 'sk-secret-key',
      model: 'test-model',
      contextWindow: 32_000,
      vision: false,
      replayReasoning: false,
      idleTimeoutMs: 5000,
      totalTimeoutMs: 10_000,
      demo: false,
      ...more,
    }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

/** A stream of exactly these bytes, each piece in a packet of its own; ends cleanly. */
export function raw(...pieces: (string | Buffer)[]): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

/** Like {@link raw}, but the connection is torn down at the end. */
export function torn(...pieces: string[]): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
    // A packet of its own for the text, or it is lost with the connection.
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.destroy();
  };
}

/** Like {@link raw}, but the line stays open and silent. */
export function hanging(...pieces: string[]): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
  };
}

export function status(code: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (response) => {
    const isText = typeof body === 'string';
    response.writeHead(code, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
}

export const sse = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
export const delta = (fields: object, finish: string | null = null): string =>
  sse({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
export const DONE = 'data: [DONE]\n\n';

/** A well-formed answer of these pieces of text. */
export function says(...texts: string[]): Script {
  return raw(...texts.map((content) => delta({ content })), delta({}, 'stop'), DONE);
}

/** A well-formed reply that makes these calls. */
export function calls(...made: { readonly id?: string; readonly name: string; readonly args?: unknown }[]): Script {
  const toolCalls = made.map(({ id, name, args }, index) => ({
    index,
    id: id ?? `c${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }));
  return raw(delta({ tool_calls: toolCalls }), delta({}, 'tool_calls'), DONE);
}
