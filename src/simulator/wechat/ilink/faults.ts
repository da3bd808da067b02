import { Faults as PlannedFaults } from '../../kit/faults.ts';

/** One way of misbehaving. Named by the last part of the path, e.g. `getupdates`, `upload`, or `*`. */
export type Fault =
  /** Refuses as iLink does, with HTTP 200. */
  | { readonly kind: 'refuse'; readonly ret?: number; readonly errcode?: number; readonly errmsg?: string }
  /** Answers with these bytes instead: an HTML page of a proxy, half a JSON. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; with `processed`, after the call has had its effect. */
  | { readonly kind: 'drop'; readonly processed: boolean }
  /** Answers as usual, but later. */
  | { readonly kind: 'delay'; readonly ms: number };

/** Faults by call. */
export class Faults extends PlannedFaults<Fault> {}
