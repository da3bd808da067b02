import type { Role } from '../../base/roles.ts';

/** Who wants to use tools, and where; what rules and providers decide by. */
export interface Asker {
  /** `<channel>/<the platform's user id>`, e.g. `telegram/123456789`. */
  readonly user: string;
  /** What the person may do; who has no role is a `guest`. */
  readonly role: string;
  /** `<channel>/<the platform's chat id>`. */
  readonly chat: string;
  readonly assistant: string;
}

/** One line of a policy. Each list is of patterns in which `*` stands for anything; an absent one fits everybody. */
export interface GuardRule {
  /** `ask`: each call waits for somebody who allows it. */
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly tools: readonly string[];
  readonly users?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly chats?: readonly string[] | undefined;
  readonly assistants?: readonly string[] | undefined;
  /** Of `ask`: what whoever allows it must be at least. Absent: who asks for it may. */
  readonly approver?: Role | undefined;
}

/** Something outside that is asked besides. */
export interface GuardProvider {
  /**
   * Which of these tools may be used? `arguments`: of the one call that is about to be made, as the model wrote them;
   * absent when it is about what the model is offered.
   * @throws when there is no answer; then none may.
   */
  allowed(question: GuardQuestion, signal: AbortSignal): Promise<ReadonlySet<string>>;
}

export interface GuardQuestion {
  readonly stage: 'offer' | 'call';
  readonly tools: readonly string[];
  readonly arguments?: string;
  readonly asker: Asker;
  readonly run: string;
  readonly thread: string;
}

/** What admins allow and forbid. */
export interface Guardrails {
  /** The first that fits decides; where none does, the tool may be used. */
  readonly rules: readonly GuardRule[];
  readonly provider?: GuardProvider | undefined;
}
