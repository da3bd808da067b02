import { asAntlerError } from '../../base/errors.ts';
import type { RunId, ThreadId } from '../../base/ids.ts';
import { type AbortReason, abortError } from '../abort.ts';
import type { NewDraft, Turn, TurnInput } from '../port.ts';
import { draftItem, parseInput, place } from './codec.ts';
import type { HeldRun } from './renewal.ts';
import { list, number, type Reply, text } from './reply.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** One turn of a claimed thread. */
export interface ClaimedTurn {
  /** Counts the turns of a thread; names this one to a cancel. */
  readonly number: number;
  readonly attempt: number;
  readonly lastCommit: RunId | null;
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
  | { readonly kind: 'retry'; readonly delayMs: number; readonly error: string }
  | { readonly kind: 'release' }
  /** Somebody else has the thread: nothing that we could write counts. */
  | { readonly kind: 'lost' };

export type Claim =
  | { readonly kind: 'nothing'; readonly wakes: Reply | undefined }
  | {
      readonly kind: 'run';
      readonly token: string;
      readonly chat: string;
      readonly turn: ClaimedTurn;
      readonly cancelled: string;
      /** The newest input that the worker which died had in hand. */
      readonly taken: number;
    };

/** Reads what `claim.lua` answers. */
export function parseClaim(reply: Reply): Claim {
  const [kind, token, turn, attempt, chat, commit, cancelled, taken, inputs] = list(reply);
  if (kind !== 'run') return { kind: 'nothing', wakes: token };
  return {
    kind,
    token: text(token),
    chat: text(chat),
    cancelled: text(cancelled),
    taken: number(taken),
    turn: {
      number: number(turn),
      attempt: number(attempt),
      lastCommit: text(commit) === '' ? null : (text(commit) as RunId),
      inputs: list(inputs).map((item) => parseInput(text(item))),
    },
  };
}

/** A thread that this process holds, from claim to commit, through one or several turns. */
export class Run {
  readonly thread: ThreadId;
  readonly chat: string;
  readonly held: HeldRun;
  readonly #wiring: Wiring;
  readonly #abandoned = Promise.withResolvers<Verdict>();
  #turn: ClaimedTurn;
  #controller = new AbortController();
  #lost = false;

  constructor(wiring: Wiring, thread: ThreadId, chat: string, held: HeldRun, turn: ClaimedTurn) {
    this.#wiring = wiring;
    this.thread = thread;
    this.chat = chat;
    this.held = held;
    this.#turn = turn;
  }

  get turn(): ClaimedTurn {
    return this.#turn;
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
      chat: this.chat,
      inputs: turn.inputs,
      attempt: turn.attempt,
      lastCommit: turn.lastCommit,
      signal: this.#controller.signal,
      draft: async (draft) => {
        if (this.#turn === turn) await this.#draft(draft);
      },
    };
  }

  async #draft(draft: NewDraft): Promise<void> {
    const { token } = this.held;
    const item = draftItem(draft, this.thread, token);
    try {
      await runPromptly(this.#wiring, 'draft', this.thread, token, draft.channel, place(draft), draft.stream, item);
    } catch (thrown) {
      this.#wiring.log.debug({ thread: this.thread, error: asAntlerError(thrown).message }, 'draft not stored');
    }
  }
}
