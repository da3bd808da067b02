import type { DeliveryId, RunId, ThreadId } from '../base/ids.ts';
import type { Language } from '../base/sentences.ts';
import type { BusyPolicy, Quiet } from '../channel/busy.ts';
import type { Document, RateLimit, Target } from '../channel/port.ts';

/**
 * The MessageBus: inboxes, runs and the outbox, everything that is in flight. Two implementations, `redis/` and
 * `embedded/`, pass the one suite in `contract/`.
 *
 * Properties: ordered per thread; one active run per thread across processes; at-least-once turns with fenced,
 * idempotent commits; deliveries in order per chat, one in flight per chat; what a call has resolved for is durable.
 */
export interface MessageBus {
  /**
   * Stores one input at the tail of its thread's inbox and wakes the thread, in one atomic step together with the
   * dedupe check. Resolves only when durable; rejects (retryable) when nothing was stored.
   */
  publish(input: NewInput): Promise<Published>;
  /**
   * Takes an input back whose turn is not active; a thread with nothing else goes idle. Its key stays known, so that a
   * redelivery does not bring it back. `alone`: its turn is active, and was handed nothing else.
   */
  withdraw(thread: ThreadId, dedupeKey: string): Promise<Recalled | 'alone'>;
  /**
   * Takes all inputs of a thread back whose turn is not active, like {@link withdraw} each. Resolves with how many they
   * were.
   */
  clear(thread: ThreadId): Promise<number>;
  /** Puts another payload in the place of an input whose turn is not active. */
  amend(thread: ThreadId, dedupeKey: string, payload: unknown): Promise<Recalled>;
  /**
   * From now on no turn of the channel begins and nothing of it is sent or shown, in no process; all of it waits, also
   * over restarts. Turns and sends that are active go on to their end.
   */
  pause(channel: string): Promise<void>;
  resume(channel: string): Promise<void>;
  /** The names of the paused channels, sorted. */
  paused(): Promise<readonly string[]>;
  /**
   * Hands the turns and sends of a process that has just died to others at once, instead of when its leases run out.
   * Only for one who knows that it is dead: its supervisor. `worker` is its {@link Working.id}; an unknown one is
   * nothing to do.
   */
  bury(worker: string): Promise<void>;
  /** Starts taking turns. One call per process. */
  work(handler: TurnHandler, options: WorkOptions): Promise<Working>;
  /** Aborts the thread's active run, wherever it runs, with {@link CancelReason}. False when none is active. */
  cancel(thread: ThreadId, reason: CancelReason): Promise<boolean>;
  threadState(thread: ThreadId): Promise<ThreadState>;
  readonly outbox: Outbox;
  readonly claims: Claims;
  readonly leases: Leases;
  readonly deadLetters: DeadLetters;
  /** Fire-and-forget messages between processes. Lossy by nature. */
  broadcast(topic: string, data: string): void;
  subscribe(topic: string, listener: (data: string) => void): () => void;
  stats(): Promise<BusStats>;
  /**
   * Is the bus usable now? Rejects with what is wrong and what to do; resolves with what is only unwise, as sentences
   * for an admin.
   */
  check(): Promise<readonly string[]>;
  /** Stops taking turns and deliveries, waits for what is running up to `graceMs`, hands the rest over, disconnects. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

export interface NewInput {
  readonly thread: ThreadId;
  /** The channel's name; while it is paused, its turns wait. */
  readonly channel: string;
  /** `<channel>/<chat>`: fairness is counted for it, however many threads it has. */
  readonly chat: string;
  /** Who speaks, e.g. an IM user's key: fairness is counted for them as well, over all chats. */
  readonly user: string;
  /** Identity of the platform's message; a second publish with the same key is a `duplicate`. */
  readonly dedupeKey: string;
  /** JSON-safe; comes back unchanged in {@link Turn.inputs}. */
  readonly payload: unknown;
  readonly at: number;
  readonly busy: BusyPolicy;
  readonly quiet: Quiet;
}

export type Published =
  /** `state`: how the input found its thread; `queued` stands for a thread that waits for a retry, too. */
  | { readonly status: 'accepted'; readonly seq: number; readonly state: 'idle' | 'queued' | 'running' }
  | { readonly status: 'duplicate' }
  /** The inbox is at its bound; nothing was stored and the dedupe key is free again. */
  | { readonly status: 'full' }
  /** Refused by policy `reject`; nothing was stored and the dedupe key is free again. */
  | { readonly status: 'busy' };

/**
 * What became of a call for an input that was published before: it still waited (for its turn, or for another try of
 * it) and was changed; its turn is active, or has been handed it by {@link Turn.steered}, and it was left alone; or it
 * is over (or was never here).
 */
export type Recalled = 'changed' | 'active' | 'gone';

export interface ThreadState {
  readonly state: 'idle' | 'queued' | 'running' | 'delayed';
  /** Inputs in the inbox, those of the active run included. */
  readonly waiting: number;
}

/**
 * Threads of one chat, and of one user over all chats, that may be queued or running at once in all processes; the
 * others wait for a place. What waits for something else (more of a burst, a retry, the end of its channel's pause)
 * takes none. Handed to the bus when it is made, the same in every process.
 */
export interface Places {
  readonly chat: number;
  readonly user: number;
}

export interface WorkOptions {
  /** Turns at once in this process. */
  readonly concurrency: number;
  /** A run whose worker has not renewed it for this long may be taken over, in milliseconds. */
  readonly leaseMs: number;
  /**
   * A turn that failed (or whose worker died) this often goes to the dead letters. The same in every process. After two
   * deaths at the latest it runs alone in its process, and only deaths from then on can bring it there.
   */
  readonly maxAttempts: number;
  /** Default: made up. */
  readonly id?: string;
}

export interface Working {
  /** Names this process's turns and sends on the bus, for {@link MessageBus.bury}; handed in or made up. */
  readonly id: string;
  /** Stops taking turns; those that run go on. */
  stop(): Promise<void>;
}

export interface TurnInput {
  readonly seq: number;
  readonly payload: unknown;
  readonly at: number;
}

/** What the handler gets: a thread's waiting inputs, oldest first, at least one. */
export interface Turn {
  readonly thread: ThreadId;
  readonly chat: string;
  readonly inputs: readonly TurnInput[];
  /**
   * Takes what has come with policy `steer` since the last call into this turn, up to the first input of another
   * policy; empty mostly, and once the run is over. Cheap: asks the bus only when something has come. What is taken is
   * acknowledged by an `ackSeq` that covers it, and comes again, behind {@link Turn.inputs}, if the turn does.
   */
  steered(): Promise<readonly TurnInput[]>;
  /** Failures and crashes of this turn so far. */
  readonly attempt: number;
  /** The run that the thread's last applied commit named; null before the first. */
  readonly lastCommit: RunId | null;
  /** Aborts on cancel, on the loss of the lease and on shutdown; `abortReason` of `abort.ts` tells which. */
  readonly signal: AbortSignal;
  /**
   * Replaces what is shown of the unfinished answer; the newest wins, and nothing is shown once the lease is lost.
   * Best effort.
   */
  draft(draft: NewDraft): Promise<void>;
}

/**
 * What becomes of the turn; the bus carries it out in one atomic, fenced step. A handler that throws is `retry`; on
 * the last attempt it is asked {@link TurnHandler.giveUp}.
 */
export type TurnOutcome =
  /** Acknowledge the inputs up to and including `ackSeq`, enqueue the deliveries, remember `commit`. */
  | {
      readonly kind: 'done';
      readonly commit: RunId;
      readonly ackSeq: number;
      readonly deliveries: readonly NewDelivery[];
    }
  /**
   * Leave the inputs and try again after `delayMs`; a new input ends the wait at once. `isBlameless`: it failed for what
   * is nobody's fault and will pass (the database is away), and that does not count as an attempt.
   */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly error: string; readonly isBlameless?: boolean }
  /** Leave the inputs for another worker, at once (shutdown). Does not count as an attempt. */
  | { readonly kind: 'release' };

export interface TurnHandler {
  run(turn: Turn): Promise<TurnOutcome>;
  /**
   * A turn's commit was applied. Best effort: when the process ends just then, only {@link Turn.lastCommit} of the next
   * turn tells. Never rejects.
   */
  committed?(thread: ThreadId, commit: RunId): Promise<void>;
  /** The turn's attempts are used up: its inputs become dead letters, and these deliveries tell the sender. */
  giveUp(turn: Omit<Turn, 'signal' | 'draft' | 'steered'>, error: string): Promise<readonly NewDelivery[]>;
}

export type CancelReason = 'stop' | 'interrupt';

/** One message on its way out. */
export interface NewDelivery {
  /** Stable: enqueueing the same id again does nothing, also after it was sent (for at least a day). */
  readonly id: DeliveryId;
  readonly channel: string;
  readonly target: Target;
  readonly document: Document;
  /** The stream whose `part`-th shown message this text finishes, if one is shown; otherwise it is sent anew. */
  readonly stream?: { readonly id: string; readonly part: number; readonly last: boolean };
  /** The platform's id of the message in whose place this one goes, where the stream does not say: it is older than a day. */
  readonly edits?: string;
  /** It only brings up to date what is shown: nothing is sent where that cannot be done. */
  readonly ifShown?: true;
  readonly limits: readonly RateLimit[];
  readonly at: number;
  /**
   * What to do when it may have been sent (the sender died, was stopped, or says `uncertain`): send it again, still
   * first of its chat and one attempt on, as long as it is no older than this, in milliseconds since `at`; 0: never, it
   * goes to the dead letters as `uncertain`. Platforms that know the delivery's id again make it safe; where none does,
   * it is the channel's choice.
   */
  readonly resendForMs: number;
  /** In which language to say what there is to say about it. Absent: that of its text. */
  readonly language?: Language;
}

/** A stand of an unfinished answer. */
export interface NewDraft {
  /** Stable across re-runs of a turn, so that a takeover goes on in the same message. */
  readonly stream: string;
  readonly channel: string;
  readonly target: Target;
  /** The parts shown so far, each fit for one message; none: show that the bot is typing. */
  readonly parts: readonly Document[];
  /** It is no growing answer: its one part is whole and goes in the place of this message, and is never sent anew. */
  readonly edits?: string;
  readonly limits: readonly RateLimit[];
}

/** What the sender is handed: one per chat at a time. */
export type Outgoing =
  | {
      readonly kind: 'delivery';
      readonly delivery: NewDelivery;
      readonly attempt: number;
      /** Ids of the messages that the delivery's stream has shown, by part; empty for one that is not shown. */
      readonly shown: readonly string[];
      readonly enqueuedAt: number;
    }
  | { readonly kind: 'draft'; readonly draft: NewDraft; readonly shown: readonly string[] };

export type SendOutcome =
  /** Confirmed by the platform. `shown`: all message ids of the stream by part, after this step. */
  | { readonly kind: 'sent'; readonly messageId?: string; readonly shown?: readonly string[] }
  /** Not done; try again after `delayMs`. `pause`: nothing else under this scope is sent until then. */
  | {
      readonly kind: 'retry';
      readonly delayMs: number;
      readonly error: string;
      readonly pause?: string;
      readonly shown?: readonly string[];
    }
  /** May have been done: sent again or kept apart for an admin, see {@link NewDelivery.resendForMs}; the chat goes on. */
  | { readonly kind: 'uncertain'; readonly error: string }
  /** Will never work; to the dead letters. */
  | { readonly kind: 'dead'; readonly error: string };

export interface Outbox {
  /** For answers without a run. Those of a run enter by {@link TurnOutcome}. */
  enqueue(deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * Starts sending for these channels. A delivery whose sender died in the middle comes out as `uncertain`, unless its
   * stream shows its part already: it is handed out again then, a few times, since an edit can be done twice. Drafts
   * are handed out only when the chat has nothing else to send; older stands of a stream are never handed out after
   * newer ones, and none after its final part was enqueued.
   */
  send(
    channels: readonly string[],
    handler: (outgoing: Outgoing) => Promise<SendOutcome>,
    options: SendingOptions,
  ): Promise<Working>;
  /** Deliveries that wait, newest last. */
  pending(channel: string, chat: string): Promise<number>;
}

export interface SendingOptions {
  /** Default: made up. */
  readonly id?: string;
  readonly concurrency: number;
  /** A send that takes longer than this is taken for dead, in milliseconds. */
  readonly leaseMs: number;
  /**
   * A delivery of these channels was set aside as `uncertain` because its sender had died. Best effort: one process is
   * told, once, and not when it dies over it.
   */
  readonly onDoubt?: (delivery: NewDelivery) => Promise<void>;
}

/** `yours`: for so long as you asked for. `held`: somebody is at it, or died while they were. `done`: it was completed. */
export type Claimed = 'yours' | 'held' | 'done';

/** Once-only guard for what is done without the inbox (commands): claim, then complete or release. */
export interface Claims {
  claim(key: string, holdMs: number): Promise<Claimed>;
  /** Remembers the key for longer than any platform redelivers (at least 12 h). */
  complete(key: string): Promise<void>;
  release(key: string): Promise<void>;
}

/** Ownership of something that only one process may hold, e.g. a platform connection. */
export interface Leases {
  /** Null when somebody else holds it. Renewed in the background until released; `lost` aborts when it slipped away. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
}

export interface Lease {
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface DeadLetter {
  readonly id: string;
  readonly kind: 'turn' | 'delivery' | 'uncertain';
  readonly at: number;
  readonly error: string;
  readonly thread?: ThreadId;
  readonly channel?: string;
  readonly chat?: string;
  /** The inputs of a turn ({@link TurnInput}s), or the delivery. */
  readonly content: unknown;
}

export interface DeadLetters {
  /** Newest first. */
  list(limit: number): Promise<DeadLetter[]>;
  get(id: string): Promise<DeadLetter | null>;
  /** Puts it back where it came from. False when it is not there. */
  replay(id: string): Promise<boolean>;
  drop(id: string): Promise<boolean>;
}

export interface BusStats {
  readonly queuedThreads: number;
  readonly runningThreads: number;
  readonly waitingInputs: number;
  readonly pendingDeliveries: number;
  readonly deadLetters: number;
}
