import { z } from 'zod';

/** Ids of people's messages that a message of the bot answers. */
const answers = z.array(z.string()).default([]);

const message = z.object({
  id: z.string(),
  chat: z.string(),
  seq: z.number(),
  author: z.enum(['person', 'bot']),
  name: z.string(),
  markdown: z.string(),
  at: z.number(),
});

/** What replicas tell each other; Markdown, because only a replica with an open page needs to render it. */
const signal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), message, answers, draft: z.boolean() }),
  z.object({
    type: z.literal('edit'),
    chat: z.string(),
    id: z.string(),
    answers,
    markdown: z.string(),
    draft: z.boolean(),
  }),
  z.object({ type: z.literal('typing'), chat: z.string() }),
]);

export type Signal = z.output<typeof signal>;

export const writeSignal = (value: Signal): string => JSON.stringify(value);

/** Null for what another version may say that this one does not know. */
export function readSignal(data: string): Signal | null {
  try {
    return signal.parse(JSON.parse(data));
  } catch {
    return null;
  }
}
