import { dedupeKey } from '../channel/message.ts';
import type { EarlierMessage } from '../channel/port.ts';
import type { HeardEntry, LogEntry } from '../harness/log.ts';
import { entryId } from './entries.ts';
import type { TurnPayload } from './turn-input.ts';

/** Of all that a turn is told of. */
const MOST_CHARS = 12_000;

interface Told {
  readonly history: readonly LogEntry[];
  readonly payloads: readonly TurnPayload[];
  /** What was said meanwhile in the hearing of the bot. */
  readonly overheard: readonly Omit<EarlierMessage, 'fromBot'>[];
}

/**
 * What the model is told of that was said near the bot, oldest first: each message once in a conversation, the newest
 * as far as there is room. Its id is that of the turn's first message, so a turn that runs again writes the same. Null
 * when there is nothing to tell.
 */
export function heardEntry({ history, payloads, overheard }: Told, now: number): HeardEntry | null {
  const first = payloads[0]?.message;
  if (first === undefined) return null;
  const known = new Set([
    ...payloads.map(({ message }) => message.id),
    ...history.flatMap((entry) => (entry.kind === 'heard' ? entry.messages.map(({ id }) => id) : [])),
  ]);
  const asked = new Set(history.flatMap((entry) => (entry.kind === 'user' ? [entry.id] : [])));
  // What stood there when the conversation began is known once it has: by its first turn.
  const earlier = history.length === 0 ? payloads.flatMap((payload) => payload.earlier ?? []) : [];
  const found = new Map<string, EarlierMessage>();
  for (const message of [...earlier, ...overheard.map((one) => ({ ...one, fromBot: false }))]) {
    const { id, at, name, fromBot, text } = message;
    if (!known.has(id) && !asked.has(entryId({ ...first, id })) && text !== '')
      found.set(id, { id, at, name, fromBot, text });
  }
  const messages = newestWithin(
    [...found.values()].sort((a, b) => a.at - b.at),
    MOST_CHARS,
  );
  return messages.length === 0 ? null : { kind: 'heard', id: `heard/${dedupeKey(first)}`, at: now, messages };
}

function newestWithin(messages: readonly EarlierMessage[], mostChars: number): readonly EarlierMessage[] {
  let chars = 0;
  const tooOld = messages.findLastIndex(({ text, name }) => {
    chars += text.length + name.length;
    return chars > mostChars;
  });
  return messages.slice(tooOld + 1);
}
