import { CallLog } from '../kit/call-log.ts';

/** One request of an app, as the server saw it. Times are milliseconds since the epoch. */
export interface CallRecord {
  /** Name of the app; empty when the token is nobody's. */
  readonly app: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** HTTP status of the answer, 0 when the connection was cut; absent while there is none. */
  status?: number;
  /** What Slack said no with. */
  error?: string;
}

/** What apps have called. */
export class Calls extends CallLog<CallRecord> {}
