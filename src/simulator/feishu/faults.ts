/**
 * One way of misbehaving. Calls are named by their HTTP method and path with `:id` for ids, e.g.
 * `POST /im/v1/messages`, `POST /im/v1/messages/:id/reply`, `POST /callback/ws/endpoint`.
 */
export type Fault =
  /** Refuses as the API does; with `resetSeconds` also in the header of rate limits. */
  | {
      readonly kind: 'refuse';
      readonly code: number;
      readonly message?: string;
      readonly status?: number;
      readonly resetSeconds?: number;
    }
  /** Answers with these bytes instead. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; with `processed`, after the call has had its effect. */
  | { readonly kind: 'drop'; readonly processed: boolean }
  /** Answers as usual, but later. */
  | { readonly kind: 'delay'; readonly ms: number };
