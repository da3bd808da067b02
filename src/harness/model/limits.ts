/** Attempts at one model, the first included, before anything was shown. */
export const MAX_ATTEMPTS = 3;
/** Fewer after a timeout: each has already taken the whole idle time. */
export const MAX_TIMEOUTS = 2;
export const BACKOFF_BASE_MS = 500;
export const BACKOFF_CAP_MS = 8000;
/** However long an endpoint asks to wait. */
export const RETRY_AFTER_CAP_MS = 60_000;
/** Longest wait inside a run; beyond it the run fails as retryable, so that no worker is held. */
export const MAX_WAIT_MS = 10_000;
/** Longest wait when another model could answer instead. */
export const MAX_WAIT_WITH_FALLBACK_MS = 2000;

/** Calls at once to one endpoint; more wait their turn. */
export const MAX_CONCURRENT_CALLS = 64;
/** Outages in a row after which an endpoint is only probed, one call at a time. */
export const BREAKER_THRESHOLD = 5;
/** How long a model with a fallback is left alone after the breaker opened. */
export const BREAKER_REST_MS = 30_000;

/** Endpoints whose client and state are kept. */
export const MAX_ENDPOINTS = 64;
/** After the finish reason only usage and `[DONE]` can follow; some endpoints send neither and keep the line open. */
export const AFTER_FINISH_MS = 2000;
/** How long the end of a body may follow its `[DONE]`. */
export const LINGER_MS = 300;
/** Answers that end without any end mark, in a row, after which that is taken for the endpoint's way. */
export const UNMARKED_ENDS_FOR_HABIT = 2;
/** Largest answer that is read. */
export const MAX_BODY_CHARS = 16_000_000;
/** How often a request that the endpoint finds too long is sent again, each time with this share of it. */
export const MAX_SHORTENINGS = 2;
export const SHORTENED_SHARE = 0.5;
