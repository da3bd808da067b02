import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AntlerError } from '../base/errors.ts';
import type { ChatPiece, ChatSession } from '../cli/chat/session.ts';
import { readServerEvents } from './server-events.ts';

const message = z.object({
  message: z.object({ id: z.string(), author: z.enum(['person', 'bot']), markdown: z.string() }),
  draft: z.boolean(),
});
const edit = z.object({ id: z.string(), markdown: z.string(), draft: z.boolean() });

/** Is an Antler answering there? */
export async function answersAt(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2_000) });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && Reflect.get(body, 'name') === 'antler';
  } catch {
    return false;
  }
}

/**
 * A conversation with a running Antler over its HTTP API: the same one that the owner has on the page. `token` is the
 * owner's, where the server asks for it.
 */
export function webSession(url: string, token: string | undefined): ChatSession {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;

  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(new URL(path, url), { ...init, headers });
    if (response.ok) return response;
    throw response.status === 401
      ? new AntlerError('unauthorized', "This server asks for the owner's token; set ANTLER_OWNER_TOKEN.")
      : new AntlerError('unavailable', `The server answered with ${response.status}.`);
  };

  return {
    say: async function* (text) {
      const done = new AbortController();
      const events = await ask('/api/v1/chat/events', { signal: done.signal });
      try {
        await ask('/api/v1/chat/messages', { method: 'POST', body: JSON.stringify({ id: randomUUID(), text }) });
        let shown = '';
        for await (const { event, data } of readServerEvents(events)) {
          const stand = standOf(event, data);
          if (stand === null) continue;
          yield pieceOf(stand.text, shown);
          shown = stand.text;
          if (stand.final) break;
        }
        yield { done: true };
      } finally {
        done.abort();
      }
    },
    stop: async () => {
      await ask('/api/v1/chat/stop', { method: 'POST', body: '{}' });
    },
  };
}

const pieceOf = (text: string, shown: string): ChatPiece =>
  text.startsWith(shown) ? { append: text.slice(shown.length) } : { replace: text };

/** How an answer stands, whole; null for what is no part of one: the person's own message, typing, unknown kinds. */
function standOf(event: string, data: string): { readonly text: string; readonly final: boolean } | null {
  const value: unknown = JSON.parse(data);
  if (event === 'message') {
    const read = message.safeParse(value);
    if (!read.success || read.data.message.author !== 'bot') return null;
    return { text: read.data.message.markdown, final: !read.data.draft };
  }
  if (event !== 'edit') return null;
  const read = edit.safeParse(value);
  return read.success ? { text: read.data.markdown, final: !read.data.draft } : null;
}
