import { z } from 'zod';
import type { FileId } from '../../../src/base/ids.ts';

/** Ids of people's messages that a message of the bot answers. */
const answers = z.array(z.string()).default([]);

const file = z.object({
  id: z.custom<FileId>((value) => typeof value === 'string'),
  kind: z.enum(['image', 'audio', 'voice', 'video', 'file', 'sticker']),
  name: z.string(),
  mime: z.string(),
  bytes: z.number(),
});

const message = z.object({
  id: z.string(),
  chat: z.string(),
  seq: z.number(),
  author: z.enum(['person', 'bot']),
  name: z.string(),
  markdown: z.string(),
  at: z.number(),
  files: z.array(file).readonly().default([]),
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
/** As it is written: what is left out reads as its default. */
export type SentSignal = z.input<typeof signal>;

export const writeSignal = (value: SentSignal): string => JSON.stringify(value);

/** Null for what another version may say that this one does not know. */
export function readSignal(data: string): Signal | null {
  try {
    return signal.parse(JSON.parse(data));
  } catch {
    return null;
  }
}
