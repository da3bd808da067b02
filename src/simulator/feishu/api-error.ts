/** A refusal of the open API: a code of its own, whatever the HTTP status says. */
export class ApiError extends Error {
  readonly code: number;
  /** Seconds until the rate limit is over. */
  readonly resetSeconds: number | undefined;

  constructor(code: number, message: string, resetSeconds?: number) {
    super(message);
    this.code = code;
    this.resetSeconds = resetSeconds;
  }
}

export const invalid = (reason: string): ApiError =>
  new ApiError(230001, `Your request contains an invalid request parameter, ext=${reason}.`);

export const recalled = (): ApiError => new ApiError(230011, 'The message was withdrawn.');
