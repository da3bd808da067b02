import { CallLog } from '../../kit/call-log.ts';

/** One request, as the server saw it. */
export interface CallRecord {
  /** The last part of the path, e.g. `sendmessage`. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined for bytes and for calls without a body. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class Calls extends CallLog<CallRecord> {}
