import { randomUUID } from 'node:crypto';
import type { RunId } from '../../base/ids.ts';
import { list, number, type Reply } from './reply.ts';
import { type ClaimedTurn, parseInputs, type Run, type Verdict } from './turn.ts';
import { runPatiently, type Wiring } from './wiring.ts';

export type Settled =
  | { readonly kind: 'fenced' }
  /** The thread is no longer ours. */
  | { readonly kind: 'over' }
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
      const commit = verdict.kind === 'done' ? verdict.commit : '';
      const reply = await runPatiently(
        wiring,
        'finish',
        thread,
        token,
        run.turn.number,
        commit,
        verdict.kind === 'bury' ? verdict.error : '',
        // Only what the turn was handed.
        Math.min(verdict.ackSeq, run.newest),
        further ? 1 : 0,
        ...verdict.words,
      );
      return parseSettled(reply, commit === '' ? run.turn.lastCommit : (commit as RunId));
    }
    case 'retry': {
      const delayMs = Math.max(0, Math.ceil(verdict.delayMs));
      const counts = verdict.isBlameless === true ? 0 : 1;
      return parseSettled(await runPatiently(wiring, 'postpone', thread, token, randomUUID(), delayMs, counts), null);
    }
    case 'release':
      return parseSettled(await runPatiently(wiring, 'release', thread, token, randomUUID()), null);
  }
}

function parseSettled(reply: Reply, lastCommit: RunId | null): Settled {
  const [kind, turn, inputs] = list(reply);
  switch (kind) {
    case 'fenced':
      return { kind };
    case 'more': {
      const fresh = { attempt: 0, excused: 0, guilty: null };
      return { kind, turn: { number: number(turn), ...fresh, lastCommit, ...parseInputs(inputs) } };
    }
    default:
      return { kind: 'over' };
  }
}
