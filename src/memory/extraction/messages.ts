import type { LogEntry } from '../../harness/log.ts';
import type { PlacedEntry } from '../../store/port.ts';
import { MESSAGE_CHARS } from '../limits.ts';
import { isOffRecord, saysNothing } from '../off-record.ts';

/** Of all messages that are looked at in one call. */
const CHARS_AT_ONCE = 24_000;

/** Something said in a conversation, as the model that learns is shown it. */
export interface Said {
  /** Null: the assistant, whose words are context and never a source. */
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly entry: string;
  readonly at: number;
  readonly text: string;
}

export interface Reading {
  readonly said: readonly Said[];
  /** Position of the last entry that was looked at; null: there was none. */
  readonly readTo: number | null;
  /** There is more than was looked at. */
  readonly isCut: boolean;
}

/**
 * What of a log people themselves have said: without what they quote, forward or were shown, without what a tool or the
 * harness wrote, and without what somebody does not want remembered.
 */
export function readMessages(entries: readonly PlacedEntry[]): Reading {
  const said: Said[] = [];
  let chars = 0;
  let readTo: number | null = null;
  for (const { position, entry } of entries) {
    const one = saidIn(entry);
    chars += one?.text.length ?? 0;
    if (chars > CHARS_AT_ONCE && said.length > 0) return { said, readTo, isCut: true };
    if (one !== null) said.push(one);
    readTo = position;
  }
  return { said, readTo, isCut: false };
}

function saidIn(entry: LogEntry): Said | null {
  if (entry.kind === 'assistant')
    return entry.text.trim() === '' ? null : { by: null, entry: entry.id, at: entry.at, text: shortened(entry.text) };
  if (entry.kind !== 'user' || entry.forwardedFrom !== undefined || isOffRecord(entry.text)) return null;
  return entry.text.trim() === ''
    ? null
    : { by: entry.speaker, entry: entry.id, at: entry.at, text: shortened(entry.text) };
}

const shortened = (text: string): string =>
  text.length <= MESSAGE_CHARS
    ? text
    : `${text.slice(0, MESSAGE_CHARS / 2).toWellFormed()} … ${text.slice(-MESSAGE_CHARS / 2).toWellFormed()}`;

/** Is there anything that a call could learn from? */
export const isWorthAsking = (said: readonly Said[]): boolean =>
  said.some(({ by, text }) => by !== null && !saysNothing(text));
