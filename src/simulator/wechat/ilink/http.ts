/** One request as handlers see it. */
export interface Request {
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly bytes: Buffer;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export const json = (value: unknown): Answer => ({ status: 200, body: Buffer.from(JSON.stringify(value)) });

/** JSON that is written already. */
export const rawJson = (text: string): Answer => ({ status: 200, body: Buffer.from(text) });

export const refusal = (ret: number, errmsg: string): Answer => json({ ret, errcode: ret, errmsg });
