import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../../base/bounded-map.ts';
import { asAntlerError } from '../../base/errors.ts';
import type { ThreadId } from '../../base/ids.ts';
import { abortReason } from '../abort.ts';
import { backoffMs } from '../backoff.ts';
import { countedAttempts, isSuspect } from '../company.ts';
import type { CancelReason, NewDelivery, TurnHandler, WorkOptions } from '../port.ts';
import { deliveryArguments } from './codec.ts';
import type { RunNews } from './renewal.ts';
import type { Renewer } from './renewer.ts';
import { settle } from './settle.ts';
import { parseClaim, Run, type Verdict } from './turn.ts';
import type { WakeUp } from './wake.ts';
import { runPatiently, type Wiring } from './wiring.ts';

/** After so many turns, or so long, a thread goes to the tail of the queue so that others get their turn. */
const MAX_TURNS = 5;
const MAX_CHAIN_MS = 30_000;
/** Words that came before the claim's own reply; more than ever race at once. */
const MAX_EARLY = 100;

type Word = CancelReason | 'steer';

function tell(run: Run, word: Word): void {
  if (word === 'steer') run.nudge();
  else run.abort(word);
}

/** Takes woken threads, runs their turns and settles them. */
export class Turns {
  readonly #wiring: Wiring;
  readonly #handler: TurnHandler;
  readonly #options: WorkOptions;
  readonly #worker: string;
  readonly #renewer: Renewer;
  readonly #runs = new Map<string, Run>();
  readonly #early = new BoundedMap<string, { readonly turn: number; readonly word: Word }>(MAX_EARLY);
  #stopping = false;

  constructor(wiring: Wiring, handler: TurnHandler, options: WorkOptions, worker: string, renewer: Renewer) {
    this.#wiring = wiring;
    this.#handler = handler;
    this.#options = options;
    this.#worker = worker;
    this.#renewer = renewer;
  }

  /** Is any run under way? */
  get busy(): boolean {
    return this.#runs.size > 0;
  }

  /** Wake-ups that come from now on are handed to other workers. */
  stop(): void {
    this.#stopping = true;
    this.#wiring.company.dismiss();
  }

  /** Tells every run that the process is stopping. */
  shutDown(): void {
    for (const run of this.#runs.values()) run.abort('shutdown');
  }

  /** Waits for no handler any longer; their threads are handed over. */
  abandon(): void {
    for (const run of this.#runs.values()) run.abandon();
  }

  /** A cancel, something to steer by, or the loss of a lease. */
  hear(news: RunNews): void {
    const run = this.#runs.get(news.thread);
    if (news.kind === 'lost') {
      if (run?.held.token === news.token) run.abort('fenced');
      return;
    }
    const { turn, word } = news;
    if (word !== 'stop' && word !== 'interrupt' && word !== 'steer') return;
    if (run !== undefined && run.turn.number >= turn) {
      if (run.turn.number === turn) tell(run, word);
      return;
    }
    const early = this.#early.get(news.thread);
    // What it could be steered by does not matter to a turn that ends.
    if (early?.turn === turn && word === 'steer') return;
    this.#early.set(news.thread, { turn, word });
  }

  /** Carries out one wake-up. `job` and `lock` are BullMQ's, for renewal. */
  async take(wake: WakeUp, job: string, lock: string): Promise<void> {
    const thread = wake.thread as ThreadId;
    const nonce = randomBytes(9).toString('base64url');
    const claim = parseClaim(await runPatiently(this.#wiring, 'claim', thread, wake.gen, this.#worker, nonce));
    if (claim.kind === 'nothing') return;

    const held = { thread, token: claim.token, job, lock };
    const run = new Run(this.#wiring, thread, held, claim.turn);
    this.#runs.set(thread, run);
    this.#renewer.hold(held);
    const { company } = this.#wiring;
    const alone = isSuspect(claim.turn, this.#options.maxAttempts);
    const leave = alone ? await company.joinAlone() : company.join();
    try {
      if (claim.cancelled !== '') this.hear({ kind: 'word', thread, turn: claim.turn.number, word: claim.cancelled });
      // Others have a place for it, or this process has one later.
      const refused = this.#stopping || leave === null;
      await this.#chain(run, refused ? { kind: 'release' } : await this.#begin(run, claim.taken, alone));
    } finally {
      leave?.();
      this.#renewer.drop(held);
      if (this.#runs.get(thread) === run) this.#runs.delete(thread);
    }
  }

  /** Turn after turn, until the thread is idle, waits, or belongs to somebody else. */
  async #chain(run: Run, decided: Verdict | null): Promise<void> {
    const startedAt = performance.now();
    let verdict = decided;
    for (let turns = 1; ; turns++) {
      this.#catchUp(run);
      verdict ??= await this.#decide(run);
      if (verdict.kind === 'lost') return;
      const further =
        !this.#stopping &&
        this.#wiring.company.isOpen &&
        turns < MAX_TURNS &&
        performance.now() - startedAt < MAX_CHAIN_MS;
      const settled = await settle(this.#wiring, run, verdict, further);
      if (settled.kind === 'fenced') {
        run.abort('fenced');
        this.#wiring.log.warn({ thread: run.thread }, 'another worker has taken this thread over; nothing was written');
        return;
      }
      if (verdict.kind === 'done') await this.#handler.committed?.(run.thread, verdict.commit);
      if (settled.kind === 'over') return;
      run.next(settled.turn);
      verdict = null;
    }
  }

  /** A word may have been quicker than the reply that told us which turn we have. */
  #catchUp(run: Run): void {
    const early = this.#early.get(run.thread);
    if (early === undefined || early.turn > run.turn.number) return;
    this.#early.delete(run.thread);
    if (early.turn === run.turn.number) tell(run, early.word);
  }

  async #decide(run: Run): Promise<Verdict> {
    const outcome = await Promise.race([this.#handle(run), run.abandoned]);
    if (run.lost) return { kind: 'lost' };
    if (outcome.kind !== 'retry' || outcome.isBlameless === true) return outcome;
    if (countedAttempts(run.turn) + 1 < this.#options.maxAttempts) return outcome;
    return this.#giveUp(run, run.turn.attempt + 1, outcome.error);
  }

  async #handle(run: Run): Promise<Verdict> {
    const turn = run.view();
    try {
      const outcome = await this.#handler.run(turn);
      if (outcome.kind !== 'done') return outcome;
      const { kind, commit, ackSeq, deliveries } = outcome;
      return { kind, commit, ackSeq, words: this.#encode(deliveries) };
    } catch (thrown) {
      if (abortReason(turn.signal) === 'shutdown') return { kind: 'release' };
      const error = asAntlerError(thrown);
      this.#wiring.log.error({ thread: run.thread, code: error.code, error: error.message }, 'a turn failed');
      return { kind: 'retry', delayMs: backoffMs(turn.attempt, thrown), error: error.message };
    }
  }

  #encode(deliveries: readonly NewDelivery[]): string[] {
    return deliveries.flatMap((delivery) => deliveryArguments(delivery, this.#wiring.shards));
  }

  /** What the turn ends with before it has begun: one that has killed its workers often enough is not run again. */
  async #begin(run: Run, taken: number, alone: boolean): Promise<Verdict | null> {
    const { attempt, inputs, guilty } = run.turn;
    const isDoomed = guilty !== null && countedAttempts(run.turn) >= this.#options.maxAttempts;
    if (alone) {
      const args = [run.thread, run.held.token, isDoomed ? 'tell' : 'run'] as const;
      if (run.lost || (await runPatiently(this.#wiring, 'isolate', ...args)) !== 1) return { kind: 'lost' };
    }
    if (!isDoomed) return null;
    run.next({ ...run.turn, inputs: inputs.filter((input) => input.seq <= taken) });
    const error = `The worker died while it ran this turn, ${attempt} times.`;
    if (guilty === 'tell') return { kind: 'bury', error, ackSeq: taken, words: [] };
    return this.#giveUp(run, attempt, error);
  }

  async #giveUp(run: Run, attempt: number, error: string): Promise<Verdict> {
    const { thread, handed: inputs, newest: ackSeq } = run;
    const { chat, lastCommit } = run.turn;
    this.#wiring.log.error({ thread, attempt, error }, 'a turn is given up');
    try {
      const deliveries = await this.#handler.giveUp({ thread, chat, inputs, attempt, lastCommit }, error);
      return { kind: 'bury', error, ackSeq, words: this.#encode(deliveries) };
    } catch (thrown) {
      this.#wiring.log.error({ thread, error: asAntlerError(thrown).message }, 'the sender could not be told');
      return { kind: 'bury', error, ackSeq, words: [] };
    }
  }
}
