import type { Request } from '../budgets/port.ts';
import type { Turn } from '../bus/port.ts';
import { senderKey } from '../channel/message.ts';
import type { Assistant } from '../harness/port.ts';
import type { Scene } from './scene.ts';
import { roleIn } from './turn-input.ts';

/** Asks for a turn to run. Whoever is answered, the newest speaker, pays for it. */
export function budgetRequest(
  { thread }: Pick<Turn, 'thread'>,
  { last, address }: Scene,
  { assistant, timeZone }: { readonly assistant: Pick<Assistant, 'id'>; readonly timeZone: string },
): Request {
  const { message, language } = last;
  return {
    turn: `${thread}:${address.firstSeq}`,
    user: senderKey(message),
    role: roleIn(last),
    channel: message.channel,
    chat: message.chat.id,
    chatKind: message.chat.kind,
    assistant: assistant.id,
    language,
    timeZone,
  };
}

/** The assistant, whose run takes no more tokens than are left. */
export function withinBudget(assistant: Assistant, maxTokens: number | undefined): Assistant {
  if (maxTokens === undefined) return assistant;
  return { ...assistant, maxRunTokens: Math.min(maxTokens, assistant.maxRunTokens ?? maxTokens) };
}
