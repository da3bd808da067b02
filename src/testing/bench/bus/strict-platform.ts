import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { now } from './inputs.ts';

/** At most `count` messages in any `windowMs`. */
export interface Window {
  readonly count: number;
  readonly windowMs: number;
}

/**
 * A platform's limits with time running twice as fast: a message a second in a chat, twenty a minute in a group,
 * thirty a second in all, in windows that are exact.
 */
export const limits = {
  all: { count: 30, windowMs: 500 },
  chat: { count: 1, windowMs: 500 },
  group: { count: 20, windowMs: 30_000 },
} as const satisfies Record<string, Window>;

export interface Accepted {
  readonly chat: string;
  readonly n: number;
  readonly at: number;
}

export interface StrictPlatform {
  readonly url: string;
  readonly accepted: readonly Accepted[];
  /** All requests, and those that came too fast. */
  readonly requests: () => number;
  readonly refused: () => number;
  close(): Promise<void>;
}

/** Takes `POST /<chat>/<n>`, and refuses with 429 what comes too fast. Chats that begin with `group` are groups. */
export async function startStrictPlatform(): Promise<StrictPlatform> {
  const windows = new Map<string, number[]>();
  const accepted: Accepted[] = [];
  let requests = 0;
  let refused = 0;

  const windowsOf = (chat: string): readonly (readonly [string, Window])[] => [
    ['all', limits.all],
    [`chat ${chat}`, limits.chat],
    ...(chat.startsWith('group') ? [[`group ${chat}`, limits.group] as const] : []),
  ];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    requests += 1;
    const at = now();
    const [, chat = '', n = ''] = (request.url ?? '').split('/');
    const waits = windowsOf(chat).map(([name, window]) => waitFor(windows.get(name) ?? [], window, at));
    const wait = Math.max(...waits);
    if (wait > 0) {
      refused += 1;
      response.writeHead(429).end(JSON.stringify({ retryAfterMs: Math.ceil(wait) }));
      return;
    }
    for (const [name, { windowMs }] of windowsOf(chat))
      windows.set(name, [...(windows.get(name) ?? []).filter((time) => time > at - windowMs), at]);
    accepted.push({ chat, n: Number(n), at });
    // Platforms take their time.
    setTimeout(() => response.end('{}'), 5 + Math.random() * 25);
  }

  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    accepted,
    requests: () => requests,
    refused: () => refused,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const waitFor = (times: readonly number[], { count, windowMs }: Window, at: number): number => {
  const oldest = times.at(-count);
  return oldest === undefined ? 0 : oldest + windowMs - at;
};
