import type { AccessPolicy } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';

/**
 * `pair`: allowed for who was let in, others get a code. `refuse`: the sender is told how to get in. `ignore`: no sign at
 * all that the bot has seen it.
 */
export type AccessDecision = 'allow' | 'pair' | 'ignore' | 'refuse';

/**
 * Decides before anything else happens: no download, no typing, no model call comes before this. `formerIds`: those that
 * the chat had before; who listed it by one of them meant this chat.
 */
export function decideAccess(
  policy: AccessPolicy,
  message: Pick<InboundMessage, 'chat' | 'sender' | 'addressed'>,
  formerIds: readonly string[] = [],
): AccessDecision {
  if (message.sender.isBot) return 'ignore';
  return message.chat.kind === 'dm' ? decideDm(policy, message.sender.id) : decideGroup(policy, message, formerIds);
}

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

function decideGroup(
  policy: AccessPolicy,
  message: Pick<InboundMessage, 'chat' | 'addressed'>,
  formerIds: readonly string[],
): AccessDecision {
  const isListed = [message.chat.id, ...formerIds].some((id) => policy.allowGroups.includes(id));
  const admitted = policy.groups === 'open' || (policy.groups === 'allowlist' && isListed);
  if (!admitted) return 'ignore';
  const addressed = message.addressed !== 'none' && message.addressed !== 'all';
  return addressed || !policy.requireMention ? 'allow' : 'ignore';
}
