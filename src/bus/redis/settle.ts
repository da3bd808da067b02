import { randomUUID } from 'node:crypto';
import type { RunId } from '../../base/ids.ts';
import { parseInput } from './codec.ts';
import { list, number, type Reply, text } from './reply.ts';
import type { ClaimedTurn, Run, Verdict } from './turn.ts';
import { type WakeUp, wakeUpsOf } from './wake.ts';
import { runPatiently, type Wiring } from './wiring.ts';

/** The most inputs that one turn gets; the others wait for the next. */
export const MAX_INPUTS = 20;

export type Settled =
  | { readonly kind: 'fenced' }
  /** The thread is no longer ours; `after` says when to wake it again, if at all. */
  | { readonly kind: 'over'; readonly wakes: readonly WakeUp[]; readonly delayed?: { wake: WakeUp; delayMs: number } }
  | { readonly kind: 'more'; readonly turn: ClaimedTurn };

/**
 * Writes what became of a turn, in one fenced step. Every step has a name of its own, so that one which is sent again
 * because its reply was lost is answered as the first time.
 */
export async function settle(
  wiring: Wiring,
  run: Run,
  verdict: Exclude<Verdict, { kind: 'lost' }>,
  further: boolean,
): Promise<Settled> {
  const { thread } = run;
  const { token } = run.held;
  switch (verdict.kind) {
    case 'done':
    case 'bury': {
      const { number: turn, inputs } = run.turn;
      const commit = verdict.kind === 'done' ? verdict.commit : '';
      const reply = await runPatiently(
        wiring,
        'finish',
        thread,
        token,
        `${token}:${turn}:${commit}`,
        commit,
        verdict.kind === 'bury' ? verdict.error : '',
        // Only what the turn was handed.
        Math.min(verdict.ackSeq, inputs.at(-1)?.seq ?? 0),
        further ? 1 : 0,
        MAX_INPUTS,
        ...verdict.words,
      );
      return parseSettled(reply, commit === '' ? run.turn.lastCommit : (commit as RunId));
    }
    case 'retry': {
      const delayMs = Math.max(0, Math.ceil(verdict.delayMs));
      const reply = list(await runPatiently(wiring, 'postpone', thread, token, randomUUID(), delayMs));
      const settled = parseSettled(reply, null);
      if (reply[0] !== 'delayed' || settled.kind !== 'over') return settled;
      return { ...settled, delayed: { wake: { thread, gen: number(reply[1]) }, delayMs } };
    }
    case 'release':
      return parseSettled(await runPatiently(wiring, 'release', thread, token, randomUUID()), null);
  }
}

function parseSettled(reply: Reply, lastCommit: RunId | null): Settled {
  const [kind, turn, wakes, inputs] = list(reply);
  switch (kind) {
    case 'fenced':
      return { kind };
    case 'more': {
      const parsed = list(inputs).map((item) => parseInput(text(item)));
      return { kind, turn: { number: number(turn), attempt: 0, lastCommit, inputs: parsed } };
    }
    default:
      return { kind: 'over', wakes: wakeUpsOf(wakes) };
  }
}
