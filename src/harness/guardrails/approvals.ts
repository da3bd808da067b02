import { z } from 'zod';

/** Under what a conversation's approvals of tools are kept. */
export const APPROVALS = 'tool_approvals';

const MAX_GRANTED = 20;
/** Whoever allowed something meant what was going on then. */
const LAPSES_AFTER_MS = 24 * 3_600_000;

const approvalsSchema = z.object({
  /** The call that somebody is being asked to allow, the question, and what they must be at least. */
  asked: z.object({ key: z.string(), question: z.string(), approver: z.string().optional() }).nullable(),
  /** Calls that were allowed and not yet made, newest last; each once. */
  granted: z.array(z.object({ key: z.string(), at: z.number() })),
});

export type Approvals = z.output<typeof approvalsSchema>;

/** Reads what was kept; anything else allows nothing. */
export const readApprovals = (kept: unknown): Approvals =>
  approvalsSchema.safeParse(kept).data ?? { asked: null, granted: [] };

export const withApproval = ({ granted }: Approvals, key: string, at: number): Approvals => ({
  asked: null,
  granted: [...granted, { key, at }].slice(-MAX_GRANTED),
});

/** Uses an approval up; null when there is none. */
export function useApproval(approvals: Approvals, key: string, now: number): Approvals | null {
  const index = approvals.granted.findIndex((one) => one.key === key && now - one.at <= LAPSES_AFTER_MS);
  return index === -1 ? null : { ...approvals, granted: approvals.granted.toSpliced(index, 1) };
}
