import type { AccessPolicy } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';

/**
 * `pair`: allowed for who was let in, others get a code. `bot`: another bot, allowed within its limits. `refuse`: the
 * sender is told how to get in. `ignore`: no sign at all that the bot has seen it.
 */
export type AccessDecision = 'allow' | 'bot' | 'pair' | 'ignore' | 'refuse';

type Asking = Pick<InboundMessage, 'chat' | 'sender' | 'addressed'>;

/**
 * Decides before anything else happens: no download, no typing, no model call comes before this. `formerIds`: those that
 * the chat had before; who listed it by one of them meant this chat.
 */
export function decideAccess(policy: AccessPolicy, message: Asking, formerIds: readonly string[] = []): AccessDecision {
  if (message.chat.kind === 'dm') return message.sender.isBot ? 'ignore' : decideDm(policy, message.sender.id);
  if (!isAdmitted(policy, [message.chat.id, ...formerIds])) return 'ignore';
  // A bot has to mean this one: what bots say to everybody is no call.
  if (message.sender.isBot) return policy.bots !== null && isMeant(message) ? 'bot' : 'ignore';
  return isMeant(message) || isForAll(policy, message) || !policy.requireMention ? 'allow' : 'ignore';
}

/** Was it ignored for no other reason than that it is not to the bot? Nothing is read along of anybody else. */
export const isOverheard = (policy: AccessPolicy, message: Asking): boolean =>
  message.chat.kind === 'group' &&
  decideAccess(policy, message) === 'ignore' &&
  ['allow', 'bot'].includes(decideAccess(policy, { ...message, addressed: 'mention' }));

/** A group that the policy does not name: then it matters which ids it had before. */
export const isUnlisted = (policy: AccessPolicy, { id, kind }: InboundMessage['chat']): boolean =>
  kind === 'group' && policy.groups === 'allowlist' && !policy.allowGroups.includes(id);

function decideDm(policy: AccessPolicy, user: string): AccessDecision {
  if (policy.admins.includes(user)) return 'allow';
  switch (policy.dm) {
    case 'open':
      return 'allow';
    case 'allowlist':
      return policy.allowUsers.includes(user) ? 'allow' : 'refuse';
    case 'pairing':
      return policy.allowUsers.includes(user) ? 'allow' : 'pair';
    case 'disabled':
      return 'ignore';
  }
}

const isAdmitted = ({ groups, allowGroups }: AccessPolicy, ids: readonly string[]): boolean =>
  groups === 'open' || (groups === 'allowlist' && ids.some((id) => allowGroups.includes(id)));

const isMeant = ({ addressed }: Asking): boolean => addressed !== 'none' && addressed !== 'all';

const isForAll = ({ answerAll }: AccessPolicy, { addressed }: Asking): boolean => answerAll && addressed === 'all';
