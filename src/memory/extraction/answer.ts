import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { FACT_CATEGORIES, SUMMARY_KINDS, type Summaries } from '../../store/memory/port.ts';
import { FACT_CHARS, LEAST_CONFIDENCE, SUMMARY_CHARS } from '../limits.ts';
import { holdsSecret } from '../secrets.ts';

const factSchema = z.object({
  content: z.string().trim().min(2).max(FACT_CHARS),
  category: z.enum(FACT_CATEGORIES),
  about: z.enum(['speaker', 'group', 'other']),
  nature: z.enum(['fact', 'request', 'permission']),
  durable: z.boolean(),
  confidence: z.number().min(0).max(1),
  source: z.string(),
  replaces: z.array(z.string()).nullish(),
  valid_days: z.number().positive().nullish(),
});

export type OfferedFact = z.output<typeof factSchema>;

const answerSchema = z.looseObject({
  facts: z.array(z.unknown()).nullish(),
  summaries: z.looseObject({}).nullish(),
});

/** What a model's answer offers that may be let in. */
export interface Offered {
  readonly facts: readonly OfferedFact[];
  readonly summaries: Summaries;
}

/**
 * Reads a model's answer: JSON alone, in a fence, or among other words. One item that is wrong is left out by itself.
 * @throws AntlerError `bad_input` when there is no such JSON: nothing is known then of what it would have said.
 */
export function readAnswer(text: string): Offered {
  const parsed = answerSchema.safeParse(objectIn(text));
  if (!parsed.success) throw new AntlerError('bad_input', 'the model did not answer with the JSON that was asked for');
  const facts = (parsed.data.facts ?? []).flatMap((one) => {
    const fact = factSchema.safeParse(one);
    return fact.success && isLetIn(fact.data) ? [fact.data] : [];
  });
  return { facts, summaries: summariesIn(parsed.data.summaries ?? {}) };
}

/** The gates of the memory: lasting, about who says it or their group, sure, a description, and no secret. */
const isLetIn = ({ content, about, nature, durable, confidence }: OfferedFact): boolean =>
  durable && about !== 'other' && nature === 'fact' && confidence >= LEAST_CONFIDENCE && !holdsSecret(content);

function summariesIn(offered: Readonly<Record<string, unknown>>): Summaries {
  return Object.fromEntries(
    SUMMARY_KINDS.flatMap((kind) => {
      const text = offered[kind];
      if (typeof text !== 'string' || text.trim() === '' || text.length > SUMMARY_CHARS || holdsSecret(text)) return [];
      return [[kind, text.replace(/\s+/g, ' ').trim()]];
    }),
  );
}

/** The first whole JSON object in a text; undefined when there is none. */
function objectIn(text: string): unknown {
  for (let from = text.indexOf('{'); from !== -1; from = text.indexOf('{', from + 1)) {
    const end = endOfObject(text, from);
    if (end === -1) continue;
    try {
      return JSON.parse(text.slice(from, end + 1));
    } catch {
      // Braces in prose before the answer.
    }
  }
  return undefined;
}

/** Index of the brace that closes the one at `from`; -1: none does. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  let inText = false;
  for (let index = from; index < text.length; index++) {
    const sign = text[index];
    if (inText) {
      if (sign === '\\') index++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return index;
  }
  return -1;
}
