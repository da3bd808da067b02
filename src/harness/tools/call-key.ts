import { createHash } from 'node:crypto';
import type { LogEntry, ToolCall } from '../log.ts';
import { parseArguments } from '../transcript/arguments.ts';

/** Arguments may be long, and every step looks at all of a turn's calls. */
const known = new WeakMap<object, string>();

/** Equal for equal calls, in whatever order their arguments are written. */
export function callKey(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const key = known.get(call) ?? written(call);
  known.set(call, key);
  return key;
}

function written({ name, arguments: text }: Pick<ToolCall, 'name' | 'arguments'>): string {
  const parsed = parseArguments(text);
  return `${name} ${parsed.ok ? JSON.stringify(sorted(parsed.value)) : text.trim()}`;
}

/**
 * The idempotency keys of a step's calls. A key does not depend on the ids that models make up: a call that was cut off
 * and is made again, in this run or in one that goes on with its work, has the same key until it has succeeded; the
 * same call made once more after that has another. `turn`: what the log holds of the turn.
 */
export function idempotencyKeys(turnId: string, turn: readonly LogEntry[], calls: readonly ToolCall[]): string[] {
  const made = new Map<string, number>();
  for (const key of succeeded(turn)) made.set(key, (made.get(key) ?? 0) + 1);
  return calls.map((call) => {
    const key = callKey(call);
    const before = made.get(key) ?? 0;
    made.set(key, before + 1);
    return `${turnId}:${call.name}:${createHash('sha256').update(key).digest('base64url').slice(0, 16)}:${before}`;
  });
}

function succeeded(turn: readonly LogEntry[]): string[] {
  const calls = new Map<string, ToolCall>();
  const keys: string[] = [];
  for (const entry of turn) {
    if (entry.kind === 'assistant') for (const call of entry.toolCalls) calls.set(call.id, call);
    const call = entry.kind === 'tool' && entry.status === 'ok' ? calls.get(entry.callId) : undefined;
    if (call !== undefined) keys.push(callKey(call));
  }
  return keys;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
