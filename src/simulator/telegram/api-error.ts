export interface ErrorParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

/** A refusal as the Bot API words it; `code` is also the HTTP status. */
export class ApiError extends Error {
  readonly code: number;
  readonly parameters: ErrorParameters | undefined;

  constructor(code: number, description: string, parameters?: ErrorParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export const badRequest = (reason: string, parameters?: ErrorParameters): ApiError =>
  new ApiError(400, `Bad Request: ${reason}`, parameters);

export const forbidden = (reason: string): ApiError => new ApiError(403, `Forbidden: ${reason}`);

export const conflict = (reason: string): ApiError => new ApiError(409, `Conflict: ${reason}`);

export const tooManyRequests = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, `Too Many Requests: retry after ${retryAfterSeconds}`, { retry_after: retryAfterSeconds });
