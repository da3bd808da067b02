/** One way of misbehaving; planned for a method (`chat.postMessage`), `download`, `upload`, `socket` (its handshake; `hang`: no hello) or `*`. */
export type Fault =
  /** Says no in a body with status 200; `details` go into it too. */
  | { readonly kind: 'refuse'; readonly error: string; readonly details?: Readonly<Record<string, unknown>> }
  /** Status 429 with so many seconds in `Retry-After`. */
  | { readonly kind: 'limit'; readonly retryAfter: number }
  /** Answers with these bytes instead: an HTML page of a proxy, half a JSON. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string; readonly contentType?: string }
  /** Sends the caller somewhere else. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; with `processed`, after the call has had its effect. */
  | { readonly kind: 'drop'; readonly processed: boolean }
  /** Answers as usual, but later. */
  | { readonly kind: 'delay'; readonly ms: number };
