import { z } from 'zod';
import { AntlerError } from '../base/errors.ts';
import type { MemorySubject } from '../base/ids.ts';
import { type Book, FACT_CATEGORIES, type NewFact, type Summaries, type SummaryKind } from '../store/memory/port.ts';
import { factOf } from './learn.ts';
import { FACT_CHARS, SUMMARY_CHARS } from './limits.ts';
import { holdsSecret } from './secrets.ts';

/** Where DeerFlow's memory.json keeps each summary: https://github.com/bytedance/deer-flow, `memory` of its back end. */
const PLACES: Readonly<Record<SummaryKind, readonly ['user' | 'history', string]>> = {
  work: ['user', 'workContext'],
  personal: ['user', 'personalContext'],
  top_of_mind: ['user', 'topOfMind'],
  recent: ['history', 'recentMonths'],
  earlier: ['history', 'earlierContext'],
  long_term: ['history', 'longTermBackground'],
};

const summarySchema = z.looseObject({ summary: z.string().nullish() }).nullish().catch(null);
const sideSchema = z.record(z.string(), summarySchema).nullish().catch(null);
const fileSchema = z.looseObject({ user: sideSchema, history: sideSchema, facts: z.array(z.unknown()).nullish() });
const factSchema = z.looseObject({
  content: z.string().trim().min(1).max(FACT_CHARS),
  category: z.enum(FACT_CATEGORIES).catch('knowledge'),
  // Some files hold null, text or numbers beyond the bounds here.
  confidence: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^[\d.]+$/)
        .transform(Number),
    ])
    .pipe(z.number().min(0).max(1))
    .catch(0.8),
  createdAt: z.string().nullish().catch(null),
});

export interface Imported {
  readonly facts: readonly NewFact[];
  readonly summaries: Summaries;
  /** Entries that were left out: malformed, too long, or secret. */
  readonly skipped: number;
}

/**
 * Reads a memory.json of DeerFlow, or what {@link exported} has written; one bad entry does not stop the others.
 * @throws AntlerError `bad_input` for what is no such file.
 */
export function imported(text: string, subject: MemorySubject, now: number): Imported {
  const parsed = fileSchema.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new AntlerError('bad_input', 'This is no memory.json: an object with "facts" was expected.');
  const { data } = parsed;
  const offered = data.facts ?? [];
  const facts = offered.flatMap((one) => {
    const fact = factSchema.safeParse(one);
    if (!fact.success || holdsSecret(fact.data.content)) return [];
    const { content, category, confidence, createdAt } = fact.data;
    const at = Date.parse(createdAt ?? '');
    const lesson = {
      ...{ subject, content: content.replace(/\s+/g, ' '), category, confidence: Math.round(confidence * 100) / 100 },
      ...{ source: null, saidBy: null, speaker: '', isPrivate: true },
      at: Number.isFinite(at) && at > 0 && at <= now ? at : now,
    };
    return [{ ...factOf(lesson, now), validUntil: null }];
  });
  const summaries = Object.fromEntries(
    (Object.keys(PLACES) as SummaryKind[]).flatMap((kind) => {
      const [side, key] = PLACES[kind];
      const summary = data[side]?.[key]?.summary?.trim().slice(0, SUMMARY_CHARS).toWellFormed() ?? '';
      return summary === '' || holdsSecret(summary) ? [] : [[kind, summary]];
    }),
  );
  return { facts, summaries, skipped: offered.length - facts.length };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AntlerError('bad_input', 'This is no JSON.', { cause });
  }
}

/** All that is known of a subject, in the same shape, with where each fact comes from. */
export function exported({ facts, summaries }: Book, now: number): object {
  const side = (wanted: 'user' | 'history'): object =>
    Object.fromEntries(
      (Object.keys(PLACES) as SummaryKind[]).flatMap((kind) => {
        const [of, key] = PLACES[kind];
        return of === wanted ? [[key, { summary: summaries[kind] ?? '' }]] : [];
      }),
    );
  const moment = (at: number): string => new Date(at).toISOString();
  return {
    version: '1.0',
    lastUpdated: moment(now),
    user: side('user'),
    history: side('history'),
    facts: facts.map(
      ({ id, content, category, confidence, createdAt, validUntil, source, saidBy, speaker, isPrivate }) => ({
        ...{ id, content, category, confidence, createdAt: moment(createdAt) },
        ...(validUntil === null ? {} : { validUntil: moment(validUntil) }),
        ...(source === null ? {} : { source: source.entry, saidAt: moment(source.at) }),
        ...(saidBy === null ? {} : { saidBy, speaker }),
        private: isPrivate,
      }),
    ),
  };
}
