import { parseImUserKey } from '../../base/ids.ts';
import type { LogEntry } from '../log.ts';
import type { RunRequest } from '../port.ts';
import type { Asker } from './port.ts';

/** The least that somebody can be. */
const NO_ROLE = 'guest';

/**
 * For whom a run uses tools: everybody who has spoken in its turn. Each of them steers it, so that all must be allowed
 * what it does: one speaker's rights are not lent to another.
 */
export function askersOf({ context, assistant }: RunRequest, turn: readonly LogEntry[]): readonly Asker[] {
  const spoken = turn.flatMap((entry) => (entry.kind === 'user' ? [entry.speaker] : []));
  const ids = [context.speaker, ...(context.others ?? []), ...spoken].map(({ id }) => id);
  return [...new Set(ids)].map((id) => ({
    user: `${context.channel}/${parseImUserKey(id).user}`,
    role: context.roles?.[id] ?? NO_ROLE,
    chat: `${context.channel}/${context.chat}`,
    assistant: assistant.id,
  }));
}
