import type { AntlerError, ErrorCode } from '../base/errors.ts';
import type { Sentence } from '../base/sentences.ts';
import type { Answer } from './answer.ts';
import type { RunResult } from './port.ts';

/** A failure that trying again would not mend. */
export function failed(
  run: { readonly answer: Answer },
  code: ErrorCode,
  sentence: Sentence,
  detail: string,
): RunResult {
  return { status: 'failed', text: run.answer.shown, code, sentence, retryable: false, detail };
}

/**
 * How a run ends in which `error` came up. `acted`: a tool has been run, so that the same run again might do something
 * twice.
 */
export function failure(answer: Answer, error: AntlerError, acted: boolean): RunResult {
  const brokeOff = answer.step.trim() !== '';
  const retryable = error.retryable && !acted && answer.shown.trim() === '';
  return {
    status: 'failed',
    text: answer.shown,
    code: error.code,
    sentence: brokeOff ? 'model_broken_off' : sentenceFor(error.code),
    retryable,
    ...(retryable && error.retryAfterMs !== undefined ? { retryAfterMs: error.retryAfterMs } : {}),
    detail: error.message,
  };
}

function sentenceFor(code: ErrorCode): Sentence {
  switch (code) {
    case 'unauthorized':
    case 'forbidden':
      return 'model_unauthorized';
    case 'no_credit':
      return 'model_no_credit';
    case 'rate_limited':
      return 'model_busy';
    case 'unavailable':
    case 'timeout':
    case 'stream_broken':
      return 'model_unavailable';
    case 'content_refused':
      return 'model_refused';
    case 'context_too_long':
      return 'context_full';
    case 'not_found':
    case 'bad_input':
      return 'model_misconfigured';
    case 'config_invalid':
      return 'model_missing';
    default:
      return 'run_failed';
  }
}
