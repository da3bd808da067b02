import type { Clock } from '../../base/clock.ts';
import { asAntlerError, type ErrorCode } from '../../base/errors.ts';
import type { ModelConfig, ModelProbe } from '../port.ts';
import { callModel } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointName, reasonOf } from './errors.ts';

/** An answer is proof enough; it need not be long. OpenAI takes no less than 16. */
const PROBE_TOKENS = 16;
const PROBE_TIMEOUT_MS = 30_000;

/** Asks a model for one word and says what is wrong and what to do, without ever showing the key. */
export async function probeModel(
  endpoint: Endpoint,
  model: ModelConfig,
  clock: Clock,
  signal: AbortSignal,
): Promise<ModelProbe> {
  const startedAt = clock.now();
  const probe: ModelConfig = {
    ...model,
    maxOutputTokens: PROBE_TOKENS,
    idleTimeoutMs: Math.min(model.idleTimeoutMs, PROBE_TIMEOUT_MS),
    totalTimeoutMs: Math.min(model.totalTimeoutMs, PROBE_TIMEOUT_MS),
  };
  try {
    await callModel(
      endpoint,
      { model: probe, messages: [{ role: 'user', content: 'Answer with the word OK.' }], tools: [], signal },
      { append: () => {}, replace: () => {} },
      String,
    );
    return { ok: true, ms: clock.now() - startedAt };
  } catch (thrown) {
    const error = asAntlerError(thrown);
    const reason = reasonOf(probe, error);
    return {
      ok: false,
      code: error.code,
      reason,
      problem: `${endpointName(model)}: ${reason}. ${whatToDo(error.code, model)}`.trim(),
    };
  }
}

function whatToDo(code: ErrorCode, model: ModelConfig): string {
  switch (code) {
    case 'unauthorized':
      return model.apiKey === '' ? 'Set api_key: none is set.' : 'Check api_key.';
    case 'no_credit':
      return 'Top the account up, or use the key of another one.';
    case 'not_found':
      return 'Check base_url (most end in /v1) and model.';
    case 'unavailable':
      return 'Check base_url, and that the server runs and can be reached from here.';
    case 'rate_limited':
      return 'The key works but has used up its rate for now; try again later.';
    case 'timeout':
      return 'Check that the server answers; a local model may still be loading.';
    case 'bad_input':
      return 'Check base_url and model: the endpoint did not understand a plain chat request.';
    case 'stream_broken':
      return 'Check that base_url leads to an OpenAI-compatible API.';
    default:
      return '';
  }
}
