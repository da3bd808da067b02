import { parseImUserKey } from '../../base/ids.ts';
import type { LogEntry, Speaker } from '../log.ts';
import type { RunRequest } from '../port.ts';
import type { Asker } from './port.ts';

/** The least that somebody can be. */
const NO_ROLE = 'guest';

/**
 * For whom a run uses tools: everybody who has spoken in its turn. Each of them steers it, so that all must be allowed
 * what it does: one speaker's rights are not lent to another.
 */
export function askersOf({ context, assistant }: RunRequest, turn: readonly LogEntry[]): readonly Asker[] {
  const speakers = new Map<string, Speaker>([[context.speaker.id, context.speaker]]);
  for (const entry of turn) if (entry.kind === 'user') speakers.set(entry.speaker.id, entry.speaker);
  return [...speakers.keys()].map((id) => ({
    user: `${context.channel}/${parseImUserKey(id).user}`,
    role: context.roles?.[id] ?? NO_ROLE,
    chat: `${context.channel}/${context.chat}`,
    assistant: assistant.id,
  }));
}
