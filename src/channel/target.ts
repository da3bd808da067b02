import type { InboundMessage } from './message.ts';
import type { Target } from './port.ts';

/**
 * Where an answer to a message goes: the same chat and topic; in a group as a reply, so that people see to whom; what was
 * scheduled has no message that could be replied to.
 */
export function targetOf(message: InboundMessage): Target {
  return {
    chat: message.chat.id,
    chatKind: message.chat.kind,
    ...(message.topic === undefined ? {} : { topic: message.topic }),
    ...(message.chat.kind === 'group' && message.scheduled !== true ? { replyTo: message.id } : {}),
    answers: [message.id],
  };
}

/** The same place, for what is no reply: the parts of an answer behind its first one. */
export function withoutReply({ replyTo: _, ...target }: Target): Target {
  return target;
}
