import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Under what the conversation's questions are kept. */
export const QUESTIONS = 'questions';

const questionSchema = z.object({
  /** Short, and the same when the turn is run again. */
  id: z.string(),
  /** The first input of the turn that asked. */
  turn: z.string(),
  /** As people read it, with its numbered options. */
  text: z.string(),
  options: z.array(z.string()),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Whom it was put to. */
  whom: z.string(),
});

/** A question that the bot has put to somebody. */
export type Question = z.output<typeof questionSchema>;

const questionsSchema = z.object({
  /** The one that waits for its answer. */
  open: questionSchema.nullable(),
  /** Those before, newest last: their buttons can still be pressed. */
  past: z.array(z.object({ id: z.string(), text: z.string() })),
  /** What is to be known of messages that answered one, newest last. */
  heard: z.array(z.object({ entry: z.string(), note: z.string() })),
});

export type Questions = z.output<typeof questionsSchema>;

export const NO_QUESTIONS: Questions = { open: null, past: [], heard: [] };

const MAX_PAST = 10;
const MAX_HEARD = 20;

/** Reads what was kept; anything else counts as nothing. */
export const readQuestions = (kept: unknown): Questions => questionsSchema.safeParse(kept).data ?? NO_QUESTIONS;

/** Puts a question, in the place of one that is still open. */
export const asked = (questions: Questions, open: Question): Questions => ({ ...closed(questions), open });

/** Nothing waits for an answer any more. */
export function closed(questions: Questions): Questions {
  const { open, past } = questions;
  if (open === null) return questions;
  return { ...questions, open: null, past: [...past, { id: open.id, text: open.text }].slice(-MAX_PAST) };
}

export const noted = (questions: Questions, entry: string, note: string): Questions => ({
  ...questions,
  heard: [...questions.heard, { entry, note }].slice(-MAX_HEARD),
});

export const questionId = (turn: string, text: string): string =>
  createHash('sha256').update(`${turn}\n${text}`).digest('base64url').slice(0, 8);
