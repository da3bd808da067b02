import { Faults as PlannedFaults } from '../kit/faults.ts';

/**
 * One way of misbehaving, named by the command of the long connection (`aibot_respond_msg`, `ping`) or the path of the
 * API (`message/send`, `gettoken`, `aibot/response`), or `*`.
 */
export type Fault =
  /** Refuses as WeCom does: HTTP 200 and a code. */
  | { readonly kind: 'refuse'; readonly errcode: number; readonly errmsg?: string }
  /** Answers an HTTP call with these bytes instead. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  /** Never answers; with `processed`, the call has its effect. */
  | { readonly kind: 'silent'; readonly processed: boolean }
  /** Cuts the connection; with `processed`, after the call has had its effect. */
  | { readonly kind: 'drop'; readonly processed: boolean };

export class Faults extends PlannedFaults<Fault> {}
