/** Work that an assistant hands on, so that it is done apart from the conversation. */
export interface HandedOn {
  /** In a few words. */
  readonly title: string;
  /** What is to be done, with all that has to be known. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly deadlineAt?: number;
  /** The name of an assistant, or of a person of this chat. Absent: the assistant itself. */
  readonly to?: string;
  /** Nothing begins before the person agrees. */
  readonly isProposal: boolean;
  /** The same when the same turn is run again. */
  readonly key: string;
}

/** Where a run hands work on. */
export interface Delegation {
  /** Whom work can be handed to besides: other assistants. */
  readonly assistants: readonly string[];
  /** @returns what the model is told. @throws AntlerError with what to do otherwise. */
  delegate(work: HandedOn): Promise<string>;
}
