import { asAntlerError } from '../../base/errors.ts';
import type { RunId, ThreadId } from '../../base/ids.ts';
import { type AbortReason, abortError } from '../abort.ts';
import type { CrashRecord } from '../company.ts';
import type { NewDraft, Turn, TurnInput } from '../port.ts';
import { draftItem, fieldText, parseInput, place } from './codec.ts';
import type { HeldRun } from './renewal.ts';
import { list, number, type Reply, text } from './reply.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** One turn of a claimed thread. */
export interface ClaimedTurn extends CrashRecord {
  /** Counts the turns of a thread; names this one to a cancel. */
  readonly number: number;
  readonly lastCommit: RunId | null;
  readonly chat: string;
  readonly inputs: readonly TurnInput[];
}

/** What a turn was decided to end with; `bury` is a turn that is given up. `words` are its deliveries, encoded. */
export type Verdict =
  | {
      readonly kind: 'done';
      readonly commit: RunId;
      readonly ackSeq: number;
      readonly words: readonly string[];
    }
  | {
      readonly kind: 'bury';
      readonly error: string;
      readonly ackSeq: number;
      readonly words: readonly string[];
    }
  | { readonly kind: 'retry'; readonly delayMs: number; readonly error: string; readonly isBlameless?: boolean }
  | { readonly kind: 'release' }
  /** Somebody else has the thread: nothing that we could write counts. */
  | { readonly kind: 'lost' };

export type Claim =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'run';
      readonly token: string;
      readonly turn: ClaimedTurn;
      readonly cancelled: string;
      /** The newest input that the worker which died had in hand. */
      readonly taken: number;
    };

/** Reads what `claim.lua` answers. */
export function parseClaim(reply: Reply): Claim {
  const [kind, token, turn, attempt, commit, cancelled, taken, inputs, excused, guilty] = list(reply);
  if (kind !== 'run') return { kind: 'nothing' };
  return {
    kind,
    token: text(token),
    cancelled: text(cancelled),
    taken: number(taken),
    turn: {
      number: number(turn),
      attempt: number(attempt),
      excused: number(excused),
      guilty: guilty === 'run' || guilty === 'tell' ? guilty : null,
      lastCommit: text(commit) === '' ? null : (text(commit) as RunId),
      ...parseInputs(inputs),
    },
  };
}

/** Reads the inputs of a turn, and the chat that the first of them is from. */
export function parseInputs(reply: Reply | undefined): Pick<ClaimedTurn, 'chat' | 'inputs'> {
  const stored = list(reply).map((item) => parseInput(text(item)));
  return {
    chat: stored[0]?.chat ?? '',
    inputs: stored.map(({ seq, payload, at }) => ({ seq, payload, at })),
  };
}

/** A thread that this process holds, from claim to commit, through one or several turns. */
export class Run {
  readonly thread: ThreadId;
  readonly held: HeldRun;
  readonly #wiring: Wiring;
  readonly #abandoned = Promise.withResolvers<Verdict>();
  #turn: ClaimedTurn;
  #controller = new AbortController();
  #lost = false;
  /** Something has come to steer this turn. */
  #nudged = false;
  readonly #steered: TurnInput[] = [];

  constructor(wiring: Wiring, thread: ThreadId, held: HeldRun, turn: ClaimedTurn) {
    this.#wiring = wiring;
    this.thread = thread;
    this.held = held;
    this.#turn = turn;
  }

  get turn(): ClaimedTurn {
    return this.#turn;
  }

  /** All that the turn was handed, what was steered into it included. */
  get handed(): readonly TurnInput[] {
    return [...this.#turn.inputs, ...this.#steered];
  }

  /** The number of the newest input that the turn was handed. */
  get newest(): number {
    return (this.#steered.at(-1) ?? this.#turn.inputs.at(-1))?.seq ?? 0;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Resolves when nobody waits any longer for the handler. */
  get abandoned(): Promise<Verdict> {
    return this.#abandoned.promise;
  }

  next(turn: ClaimedTurn): void {
    this.#turn = turn;
    this.#controller = new AbortController();
    this.#nudged = false;
    this.#steered.length = 0;
  }

  nudge(): void {
    this.#nudged = true;
  }

  abort(reason: AbortReason): void {
    if (reason === 'fenced') this.#lost = true;
    this.#controller.abort(abortError(reason));
  }

  abandon(): void {
    this.#abandoned.resolve({ kind: 'release' });
  }

  /** What the handler sees of the current turn. Drafts end with the turn, not with the run. */
  view(): Turn {
    const turn = this.#turn;
    return {
      thread: this.thread,
      chat: turn.chat,
      inputs: turn.inputs,
      attempt: turn.attempt,
      lastCommit: turn.lastCommit,
      signal: this.#controller.signal,
      steered: async () => (this.#turn === turn && this.#nudged ? this.#steer(turn) : []),
      draft: async (draft) => {
        if (this.#turn === turn) await this.#draft(draft);
      },
    };
  }

  async #steer(turn: ClaimedTurn): Promise<readonly TurnInput[]> {
    this.#nudged = false;
    try {
      const reply = await runPromptly(this.#wiring, 'steer', this.thread, this.held.token, this.newest);
      if (this.#turn !== turn) return [];
      // Of two calls at once, one hands it out.
      const { inputs } = parseInputs(reply);
      const fresh = inputs.filter((input) => input.seq > this.newest);
      this.#steered.push(...fresh);
      return fresh;
    } catch (thrown) {
      this.#nudged = true;
      this.#wiring.log.debug({ thread: this.thread, error: asAntlerError(thrown).message }, 'could not ask for inputs');
      return [];
    }
  }

  async #draft(draft: NewDraft): Promise<void> {
    const { token } = this.held;
    const item = draftItem(draft, this.thread, token, this.#wiring.shards);
    const channel = fieldText(draft.channel);
    try {
      await runPromptly(this.#wiring, 'draft', this.thread, token, channel, place(draft), draft.stream, item);
    } catch (thrown) {
      this.#wiring.log.debug({ thread: this.thread, error: asAntlerError(thrown).message }, 'draft not stored');
    }
  }
}
