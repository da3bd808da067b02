/** What Slack says no with, in a body with status 200. */
export class ApiError extends Error {
  readonly error: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(error: string, details: Readonly<Record<string, unknown>> = {}) {
    super(error);
    this.error = error;
    this.details = details;
  }
}

/** Asked to slow down: status 429 with the seconds to wait in `Retry-After`. */
export class RateLimited extends Error {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('ratelimited');
    this.retryAfter = retryAfter;
  }
}
