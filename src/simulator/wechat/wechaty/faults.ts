/** How the service misbehaves in one call of a puppet's method, e.g. `messageSendText`. */
export type WechatyFault =
  /** Fails with this message; `code` is what the puppet's error carries. */
  | { readonly kind: 'refuse'; readonly message: string; readonly code?: number }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** All connections break, before or after the call was processed. */
  | { readonly kind: 'drop'; readonly processed: boolean };
