import { z } from 'zod';
import { cutMiddle } from '../transcript/text.ts';

/** Under what a conversation's delegations are kept. */
export const DELEGATIONS = 'delegations';

const statuses = ['running', 'done', 'capped', 'failed', 'timed_out', 'cancelled'] as const;

const delegationSchema = z.object({
  id: z.string(),
  /** The turn that handed it on. */
  turn: z.string(),
  type: z.string(),
  description: z.string(),
  status: z.enum(statuses),
  /** What came of it, briefly. */
  brief: z.string(),
  at: z.number(),
});

/** Something that was handed to a sub-agent. */
export type Delegation = z.output<typeof delegationSchema>;
export type DelegationStatus = Delegation['status'];

const MAX_KEPT = 50;
const MAX_BRIEF_CHARS = 400;

/** Reads what was kept, oldest first; anything else counts as nothing. */
export const readLedger = (kept: unknown): readonly Delegation[] =>
  z.array(delegationSchema).safeParse(kept).data ?? [];

/** With one more, or a newer state of one that is there. One that has ended does not run again. */
export function withDelegation(ledger: readonly Delegation[], next: Delegation): readonly Delegation[] {
  const former = ledger.find(({ id }) => id === next.id);
  if (former !== undefined && former.status !== 'running' && next.status === 'running') return ledger;
  const entry = { ...next, brief: cutMiddle(next.brief, MAX_BRIEF_CHARS) };
  return [...ledger.filter(({ id }) => id !== next.id), entry].slice(-MAX_KEPT);
}
