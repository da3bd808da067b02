/** A request to a place that a person or a model may have chosen. */
export interface NetRequest {
  readonly url: string;
  /** Default: `GET`. Only that is redirected. */
  readonly method?: 'GET' | 'POST';
  /** Sent to the first origin only, never to where it redirects. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the body, both as it comes and unpacked. */
  readonly maxBytes: number;
  /** For the whole of it, redirects and all. */
  readonly timeoutMs: number;
  /** Default: 5. */
  readonly maxRedirects?: number;
  /** Asked before the body is read; false: it is not, and `body` is empty. Default: all are. */
  readonly accepts?: (mime: string) => boolean;
  readonly signal: AbortSignal;
}

export interface NetResponse {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; empty: not said. */
  readonly mime: string;
  /** The parameter of the content type, where it has one. */
  readonly charset?: string;
  readonly retryAfterMs?: number;
  /** Unpacked. */
  readonly body: Uint8Array;
}

/** The one way to what others have chosen: see `createNet`. */
export interface Net {
  /**
   * Resolves with whatever the server answers, any status.
   * @throws AntlerError `bad_input` (no web address), `forbidden` (not on the public internet, a port or redirect that
   * is not followed), `too_large`, `unavailable`, `timeout`, `cancelled`.
   */
  send(request: NetRequest): Promise<NetResponse>;
}
