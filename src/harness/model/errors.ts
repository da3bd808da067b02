import { AntlerError, type ErrorCode } from '../../base/errors.ts';
import type { ModelConfig } from '../port.ts';
import { RETRY_AFTER_CAP_MS } from './limits.ts';
import { ModelRefusal } from './refusal.ts';

const CONTEXT_CODES = /context_length|context_window|string_above_max_length|prompt_too_long/;
const CONTEXT_WORDS =
  /maximum context|context (?:length|window|size)|prompt is too long|too many (?:input )?tokens|input length|exceed\w* .{0,40}(?:context|max\w* (?:input )?tokens)|range of input length/i;
const REFUSED_CODES =
  /content_filter|content_policy|data_inspection|sensitive|moderation|safety|risk_control|content_?blocked|responsible_?ai/;
const CREDIT_CODES = /insufficient_quota|exceeded_current_quota|insufficient_balance|billing|arrearage|payment/;
const CREDIT_WORDS = /insufficient (?:account )?balance|balance (?:is )?(?:not enough|insufficient)|余额不足|欠费/i;
const MODEL_CODES = /model_not_found|model_not_exist|invalid_model|no_such_model/;
const MODEL_WORDS =
  /model\b.{0,80}(?:not exist|not found|does not exist|unknown|is not available)|(?:unknown|invalid|no such) model\b/i;
const BUSY_CODES = /rate_limit|too_many_requests|throttl|resource_exhausted/;
const OVERLOAD_CODES = /overload|server_error|internal|unavailable|engine/;

/** Connection failures by Node's code, in words. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address (connection refused)',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
};
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const CERTIFICATE = /^(?:CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER)/;

interface Verdict {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly why: string;
}

const verdict = (code: ErrorCode, retryable: boolean, why: string): Verdict => ({ code, retryable, why });

/**
 * Puts a failed call into Antler's terms. Status and the provider's code decide before its words do: words like
 * "quota" turn up in the text of passing outages too. The message names model and host; never the key, a body or the
 * provider's text.
 */
export function modelError(model: ModelConfig, thrown: unknown): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const { code, retryable, why } = thrown instanceof ModelRefusal ? judgeRefusal(thrown) : judgeTransport(thrown);
  const asked = thrown instanceof ModelRefusal ? thrown.retryAfterMs : undefined;
  return new AntlerError(code, `${prefixOf(model)}${why}`, {
    retryable,
    ...(retryable && asked !== undefined ? { retryAfterMs: Math.min(asked, RETRY_AFTER_CAP_MS) } : {}),
  });
}

const prefixOf = (model: ModelConfig): string => `${modelName(model)}: `;

/** What is wrong, without the name of the model that a {@link modelError} begins with. */
export function reasonOf(model: ModelConfig, { message }: AntlerError): string {
  const prefix = prefixOf(model);
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/** For logs and admins, e.g. `model main (gpt-5 at api.openai.com)`. Credentials in the address are left out. */
export function modelName(model: ModelConfig): string {
  return `model ${model.name} (${endpointName(model)})`;
}

/** What is asked where, e.g. `gpt-5 at api.openai.com`. */
export function endpointName({ model, baseUrl }: ModelConfig): string {
  return `${model} at ${URL.parse(baseUrl)?.host ?? 'an invalid address'}`;
}

function judgeRefusal(refusal: ModelRefusal): Verdict {
  const { status, code, words } = refusal;
  const said = status === undefined ? 'an error inside the answer' : `HTTP ${status}`;
  if (REFUSED_CODES.test(code)) return verdict('content_refused', false, 'the provider refused the content');
  if (CONTEXT_CODES.test(code)) return verdict('context_too_long', false, 'the request is longer than its window');
  if (CREDIT_CODES.test(code) || status === 402 || (isRefusal(status) && CREDIT_WORDS.test(words)))
    return verdict('no_credit', false, `the account has no credit left (${said})`);
  if (MODEL_CODES.test(code)) return verdict('not_found', false, `the endpoint does not know this model (${said})`);
  switch (status) {
    case 401:
    case 403:
      return verdict('unauthorized', false, `the key was refused (HTTP ${status})`);
    case 404:
    case 405:
    case 410:
      return MODEL_WORDS.test(words)
        ? verdict('not_found', false, `the endpoint does not know this model (HTTP ${status})`)
        : verdict('not_found', false, `there is no chat completions API at this address (HTTP ${status})`);
    case 408:
    case 504:
      return verdict('timeout', true, `no answer in time (HTTP ${status})`);
    case 409:
    case 425:
      return verdict('unavailable', true, `not ready (HTTP ${status})`);
    case 429:
      return verdict('rate_limited', true, 'too many requests (HTTP 429)');
    default:
      return judgeByWords(refusal, said);
  }
}

/** It was understood and refused, not lost in an outage. */
const isRefusal = (status: number | undefined): boolean => status !== undefined && status >= 400 && status < 500;

function judgeByWords({ status, code, words }: ModelRefusal, said: string): Verdict {
  if (CONTEXT_WORDS.test(words)) return verdict('context_too_long', false, 'the request is longer than its window');
  if (status !== undefined && status >= 500) return verdict('unavailable', true, `the endpoint is failing (${said})`);
  if (status === 413) return verdict('context_too_long', false, 'the request is too large (HTTP 413)');
  if (status !== undefined) {
    return MODEL_WORDS.test(words)
      ? verdict('not_found', false, `the endpoint does not know this model (${said})`)
      : verdict('bad_input', false, `the endpoint refused the request (${said})`);
  }
  if (BUSY_CODES.test(code)) return verdict('rate_limited', true, 'too many requests (said inside the answer)');
  if (OVERLOAD_CODES.test(code))
    return verdict('unavailable', true, 'the endpoint is failing (said inside the answer)');
  return verdict('stream_broken', true, 'the answer ended in an error');
}

function judgeTransport(thrown: unknown): Verdict {
  const code = networkCode(thrown);
  const known = NETWORK[code];
  if (known !== undefined) return verdict('unavailable', true, known);
  if (TIMEOUTS.has(code)) return verdict('timeout', true, 'no answer in time');
  if (CERTIFICATE.test(code)) return verdict('unavailable', false, `its certificate is not trusted (${code})`);
  // Headers and addresses that cannot be sent; the error's own text would quote the key.
  if (code === 'ERR_INVALID_URL' || code === 'ERR_INVALID_CHAR')
    return verdict('bad_input', false, 'address or key hold characters that cannot be sent');
  return verdict('unavailable', true, 'the connection failed');
}

/** Node's code of the failure, from the error or whatever caused it. */
export function networkCode(thrown: unknown): string {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error instanceof AggregateError && error.errors[0] instanceof Error) error = error.errors[0];
    else error = error.cause;
  }
  return '';
}
