import type { InboundMessage } from '../../../../src/channel/message.ts';
import type { NormalizeContext } from './context.ts';
import { membershipFactsShape, messageFactsShape } from './facts.ts';
import { convertMembership } from './membership.ts';
import { convertMessage } from './message.ts';

/** Something that was heard from wechaty, and what was found out about it. */
export interface Heard {
  readonly kind: 'message' | 'membership';
  readonly facts: unknown;
}

/** Makes a message of what was heard; null when there is nothing in it for anybody. Never throws. */
export function normalize({ kind, facts }: Heard, context: NormalizeContext): InboundMessage | null {
  if (kind === 'membership') {
    const read = membershipFactsShape.safeParse(facts);
    return read.success ? convertMembership(read.data, context) : null;
  }
  const read = messageFactsShape.safeParse(facts);
  return read.success ? convertMessage(read.data, context) : null;
}
