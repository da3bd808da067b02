import { AntlerError } from '../base/errors.ts';
import type { CancelReason } from './port.ts';

/** Why a turn's signal was aborted: a person (or a newer message), the loss of its lease, or the end of the process. */
export type AbortReason = CancelReason | 'fenced' | 'shutdown';

/** Builds what a turn's signal is aborted with. */
export function abortError(reason: AbortReason): AntlerError {
  switch (reason) {
    case 'fenced':
      return new AntlerError('fenced', 'Another worker has taken this turn over.', { cause: reason });
    case 'shutdown':
      return new AntlerError('unavailable', 'This process is stopping; another worker takes the turn.', {
        cause: reason,
        retryable: true,
      });
    default:
      return new AntlerError('cancelled', `The run was cancelled (${reason}).`, { cause: reason });
  }
}

/** Reads the reason back from an aborted turn's signal; null when it is not aborted, or not by a bus. */
export function abortReason(signal: AbortSignal): AbortReason | null {
  if (!signal.aborted || !(signal.reason instanceof AntlerError)) return null;
  const cause = signal.reason.cause;
  return cause === 'stop' || cause === 'interrupt' || cause === 'fenced' || cause === 'shutdown' ? cause : null;
}
