import { asRecord, asText } from './json.ts';

/** What an endpoint said when it refused or failed. Holds the provider's own words, so it never leaves this folder. */
export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';
  /** HTTP status; of an error inside a stream, the status it names. Undefined: none named. */
  readonly status: number | undefined;
  /** The provider's code or type, lower case; empty when there is none. */
  readonly code: string;
  /** The provider's words and the parameter it complains of, for recognising it, not for showing. */
  readonly words: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number | undefined, body: unknown, retryAfterMs?: number) {
    super('the model endpoint refused');
    const outer = asRecord(body);
    const error = typeof outer.error === 'object' && outer.error !== null ? asRecord(outer.error) : outer;
    const codes = [error.code, error.type, error.status].map((code) => asText(code)?.toLowerCase());
    this.status = status ?? statusIn(error.code) ?? statusIn(error.status) ?? statusIn(outer.code);
    this.code = codes.filter((code) => code !== undefined).join(' ');
    this.words = wordsOf(body);
    this.retryAfterMs = retryAfterMs;
  }

  /** An error that came in a body whose status said that all is well. */
  static fromBody(body: unknown): ModelRefusal {
    return new ModelRefusal(undefined, body);
  }
}

const MAX_WORDS = 4000;

function wordsOf(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, MAX_WORDS);
  return (JSON.stringify(body) ?? '').slice(0, MAX_WORDS);
}

function statusIn(code: unknown): number | undefined {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}
