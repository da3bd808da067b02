/** One command or request, as the server saw it. */
export interface CallRecord {
  /** The command of the long connection, or the path of the API below `/cgi-bin/`. */
  readonly method: string;
  readonly body: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of the answer; absent where there was none. */
  errcode?: number;
}
