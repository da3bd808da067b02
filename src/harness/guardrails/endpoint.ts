import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { collectBytes } from '../../base/http.ts';
import type { GuardProvider } from './port.ts';

export interface GuardEndpoint {
  readonly url: string;
  /** Sent as a bearer token; empty: none. */
  readonly token: string;
  readonly timeoutMs: number;
}

const answerSchema = z.object({ allow: z.array(z.string()) });

/** Longer answers than this are no answers. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * A policy service: it is sent each question as JSON by POST (see {@link GuardQuestion}) and answers
 * `{"allow": ["names", "of", "tools"]}`. Anything else, or nothing in time, is an error.
 */
export function guardEndpoint({ url, token, timeoutMs }: GuardEndpoint): GuardProvider {
  return {
    allowed: async (question, signal) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(question),
        // Whoever it is redirected to was not asked for.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = (await collectBytes(response.body ?? [], MAX_ANSWER_BYTES)).toString();
      if (!response.ok) throw new AntlerError('unavailable', `the guardrail's endpoint answered ${response.status}`);
      const answer = answerSchema.safeParse(JSON.parse(text));
      if (!answer.success) throw new AntlerError('bad_input', "the guardrail's endpoint answered in an unknown shape");
      return new Set(answer.data.allow);
    },
  };
}
