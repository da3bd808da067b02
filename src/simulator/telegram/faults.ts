import { Faults as PlannedFaults } from '../kit/faults.ts';

/** One way of misbehaving. `method` is the lower-case name of a method, `download` for files, or `*`. */
export type Fault =
  /** Refuses as the Bot API does; with `retryAfter` (seconds) for 429. */
  | { readonly kind: 'refuse'; readonly code: number; readonly description?: string; readonly retryAfter?: number }
  /** Answers with these bytes instead: an HTML page of a proxy, half a JSON. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string; readonly contentType?: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; with `processed`, after the call has had its effect. */
  | { readonly kind: 'drop'; readonly processed: boolean }
  /** Says that it is elsewhere. */
  | { readonly kind: 'redirect'; readonly location: string }
  /** Answers as usual, but later. */
  | { readonly kind: 'delay'; readonly ms: number };

/** Faults by method. */
export class Faults extends PlannedFaults<Fault> {}
