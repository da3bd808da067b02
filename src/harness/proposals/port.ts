import type { ScanFinding } from '../skills/scan.ts';

/** A change that an assistant proposes, and what became of it: those that were approved are the history of it. */
export interface Proposal {
  readonly id: string;
  readonly kind: 'soul' | 'skill';
  /** Who proposes it. */
  readonly assistant: string;
  /** Whose soul, or which custom skill. */
  readonly subject: string;
  /** What was there; null: nothing. */
  readonly before: string | null;
  /** The new soul, or the new `SKILL.md`. */
  readonly after: string;
  /** For a soul, the digest of the configured one: when that is changed, it counts and no proposal of before. */
  readonly base: string;
  readonly reason: string;
  /** In whose conversation. */
  readonly by: { readonly id: string; readonly name: string };
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: ProposalStatus;
  readonly decidedAt: number | null;
}

export type ProposalStatus = 'open' | 'approved' | 'rejected' | 'undone';

/** Where proposals are kept. */
export interface ProposalRecords {
  /** Keeps a new one; one of the same id stays as it is. */
  add(proposal: Proposal): Promise<void>;
  get(id: string): Promise<Proposal | null>;
  /** Newest first. */
  list(limit: number): Promise<Proposal[]>;
  countOpen(assistant: string): Promise<number>;
  /** The one that was approved last. */
  lastApproved(kind: Proposal['kind'], subject: string): Promise<Proposal | null>;
  /** False: it is not there, or no longer as `from` says. */
  decide(id: string, from: ProposalStatus, to: ProposalStatus, at: number): Promise<boolean>;
}

/** What an assistant wants to be changed. */
export interface Wish {
  readonly kind: Proposal['kind'];
  readonly assistant: string;
  readonly subject: string;
  readonly after: string;
  readonly reason: string;
  readonly by: Proposal['by'];
  /** The same when the same turn is run again. */
  readonly key: string;
}

/** The side of assistants: they propose, and nothing more. */
export interface WishBox {
  /** @returns its id. @throws AntlerError with what to do otherwise. */
  propose(wish: Wish): Promise<string>;
}

/** A proposal as its judge needs it. */
export interface ProposalView {
  readonly proposal: Proposal;
  /** Line by line: ` ` stays, `-` goes, `+` comes. */
  readonly diff: readonly string[];
  readonly findings: readonly ScanFinding[];
}

/** The side of the owner. Each rejects with `not_found`, or `conflict` when things have changed since. */
export interface ProposalDesk extends WishBox {
  list(): Promise<readonly Proposal[]>;
  show(id: string): Promise<ProposalView>;
  /** Makes the change. `force`: in spite of severe findings, for which it is `forbidden` otherwise. */
  approve(id: string, force: boolean): Promise<Proposal>;
  reject(id: string): Promise<Proposal>;
  /** Takes an approved change back. */
  undo(id: string): Promise<Proposal>;
  /** The soul that counts for an assistant whose configured one is this. */
  soul(assistant: string, configured: string): Promise<string>;
}
