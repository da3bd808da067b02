import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AntlerError } from '../base/errors.ts';
import { say } from '../base/sentences.ts';
import type { ChatPiece, ChatSession } from '../cli/chat/session.ts';
import type { OwnerApi } from './owner-api.ts';
import { withPauses } from './pauses.ts';
import { type ReceivedEvent, readServerEvents } from './server-events.ts';

const answers = z.array(z.string());
const files = z.array(z.object({ name: z.string(), url: z.string() })).default([]);
const message = z.object({
  message: z.object({ id: z.string(), author: z.enum(['person', 'bot']), markdown: z.string(), files }),
  answers,
  draft: z.boolean(),
});
const edit = z.object({ id: z.string(), answers, markdown: z.string(), draft: z.boolean() });
const chatState = z.object({ busy: z.boolean() });
const history = z.object({ messages: z.array(z.object({ id: z.string(), markdown: z.string() })) });
const stopping = z.object({ stopped: z.boolean() });

/** After so long without an event, in milliseconds, the server is asked whether there is still something to come. */
const SILENCE_MS = 2_000;
/** So often in a row it must say no: an answer that is ready may still be on its way. */
const SURE_AFTER = 2;

/**
 * A conversation with a running Antler over its HTTP API: the same one that the owner has on the page, so answers to
 * what is said there come by here, too, and are passed over.
 */
export function webSession({ ask }: OwnerApi, silenceMs = SILENCE_MS): ChatSession {
  const read = async <Shape>(shape: z.ZodType<Shape>, path: string, init?: RequestInit): Promise<Shape> =>
    shape.parse(await (await ask(path, init)).json());
  const post = (path: string, body: object): readonly [string, RequestInit] => [
    path,
    { method: 'POST', body: JSON.stringify(body) },
  ];
  const stop = (): Promise<{ stopped: boolean }> => read(stopping, ...post('/api/v1/chat/stop', {}));

  async function* answerTo(text: string, events: Response): AsyncGenerator<ChatPiece, void, void> {
    const id = randomUUID();
    await ask(...post('/api/v1/chat/messages', { id, text }));
    /** The message of the bot that answers, once there is one. */
    let ours: string | null = null;
    let shown = '';
    let idle = 0;
    for await (const event of withPauses(readServerEvents(events), silenceMs)) {
      const stand = event === null ? null : standOf(event);
      if (stand !== null && (stand.id === ours || stand.answers.includes(id))) {
        ours = stand.id;
        yield pieceOf(stand.text, shown);
        shown = stand.text;
        if (stand.final) return;
      }
      if (event !== null) continue;
      idle = (await read(chatState, '/api/v1/chat/state')).busy ? 0 : idle + 1;
      if (idle < SURE_AFTER) continue;
      // Events may be lost; what was said is kept.
      const { messages } = await read(history, '/api/v1/chat/messages');
      const kept = messages.find((candidate) => candidate.id === ours);
      if (kept === undefined)
        throw new AntlerError('conflict', 'There is no answer to this: something newer took its place.');
      yield pieceOf(kept.markdown, shown);
      return;
    }
    throw new AntlerError('unavailable', 'The connection to Antler ended before the answer did.');
  }

  return {
    say: async function* (text) {
      // As a message it is answered by the run that it ends, which is somebody else's.
      if (text.trim() === '/stop') {
        const { stopped } = await stop();
        yield { notice: say('en', stopped ? 'run_stopped' : 'nothing_to_stop') };
        return;
      }
      const done = new AbortController();
      const events = await ask('/api/v1/chat/events', { signal: done.signal });
      try {
        yield* answerTo(text, events);
        yield { done: true };
      } finally {
        done.abort();
      }
    },
    stop: async () => {
      await stop();
    },
  };
}

const pieceOf = (text: string, shown: string): ChatPiece =>
  text.startsWith(shown) ? { append: text.slice(shown.length) } : { replace: text };

/** How an answer stands. */
interface Stand {
  readonly id: string;
  /** The messages that it answers. */
  readonly answers: readonly string[];
  /** All of it so far. */
  readonly text: string;
  readonly final: boolean;
}

/** Null for what is no part of an answer: what people say, typing, unknown kinds. */
function standOf({ event, data }: ReceivedEvent): Stand | null {
  const value: unknown = JSON.parse(data);
  if (event === 'message') {
    const read = message.safeParse(value);
    if (!read.success || read.data.message.author !== 'bot') return null;
    const { id, markdown, files: sent } = read.data.message;
    const text = [markdown, ...sent.map(({ name, url }) => `[${name}](${url})`)]
      .filter((part) => part !== '')
      .join('\n');
    return { id, answers: read.data.answers, text, final: !read.data.draft };
  }
  if (event !== 'edit') return null;
  const read = edit.safeParse(value);
  if (!read.success) return null;
  return { id: read.data.id, answers: read.data.answers, text: read.data.markdown, final: !read.data.draft };
}
