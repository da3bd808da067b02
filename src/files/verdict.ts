import type { AntlerError } from '../base/errors.ts';
import type { FileProblem } from '../harness/log.ts';

/** Why a fetch that failed in this way will never succeed; null when another try, here or elsewhere, may. */
export function problemOf(error: AntlerError): FileProblem | null {
  if (error.retryable) return null;
  switch (error.code) {
    case 'too_large':
      return 'too_large';
    case 'not_found':
    case 'target_gone':
      return 'gone';
    // Only the process that holds the connection can do it, or the platform is away for a while.
    case 'unavailable':
    case 'timeout':
    case 'rate_limited':
    case 'conflict':
    case 'cancelled':
    case 'fenced':
    case 'uncertain':
      return null;
    default:
      return 'refused';
  }
}
