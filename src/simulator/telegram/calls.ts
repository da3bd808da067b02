import { CallLog } from '../kit/call-log.ts';
import type { ParamValue } from './params.ts';

/** One request of a bot, as the server saw it. Times are milliseconds since the epoch, precise. */
export interface CallRecord {
  readonly bot: string;
  readonly method: string;
  readonly params: Readonly<Record<string, ParamValue>>;
  /** The request's headers had arrived. */
  readonly at: number;
  /** The request's body had arrived. */
  readonly readAt: number;
  /** The answer was written; absent while the call waits, hangs or was cut. */
  doneAt?: number;
  /** HTTP status of the answer; 0 when the connection was cut. */
  status?: number;
}

/** What bots have called. */
export class Calls extends CallLog<CallRecord> {}
