import type { MemoryFactTable } from '../schema.ts';
import { storable } from '../text.ts';
import type { Fact } from './port.ts';

/** Facts as their table holds them. */
export const rowOf = (fact: Fact): MemoryFactTable => ({
  id: fact.id,
  subject: fact.subject,
  number: fact.number,
  hash: fact.hash,
  content: storable(fact.content),
  category: fact.category,
  confidence: Math.round(fact.confidence * 100),
  thread: fact.source?.thread ?? null,
  entry: fact.source === null ? null : storable(fact.source.entry),
  said_at: fact.source?.at ?? null,
  said_by: fact.saidBy,
  speaker: storable(fact.speaker),
  created_at: fact.createdAt,
  last_seen_at: fact.lastSeenAt,
  valid_until: fact.validUntil,
  is_private: fact.isPrivate ? 1 : 0,
});

export const factOf = (row: MemoryFactTable): Fact => ({
  id: row.id,
  subject: row.subject,
  number: row.number,
  content: row.content,
  hash: row.hash,
  category: row.category,
  confidence: row.confidence / 100,
  source:
    row.thread === null || row.entry === null || row.said_at === null
      ? null
      : { thread: row.thread, entry: row.entry, at: row.said_at },
  saidBy: row.said_by,
  speaker: row.speaker,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  validUntil: row.valid_until,
  isPrivate: row.is_private !== 0,
});
