import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ChatPiece, ChatSession } from '../cli/chat/session.ts';
import type { OwnerApi } from './owner-api.ts';
import { readServerEvents } from './server-events.ts';

const message = z.object({
  message: z.object({ id: z.string(), author: z.enum(['person', 'bot']), markdown: z.string() }),
  draft: z.boolean(),
});
const edit = z.object({ id: z.string(), markdown: z.string(), draft: z.boolean() });

/** A conversation with a running Antler over its HTTP API: the same one that the owner has on the page. */
export function webSession({ ask }: OwnerApi): ChatSession {
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
