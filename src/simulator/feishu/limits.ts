/** Numbers of the open platform (https://open.feishu.cn/document); a test may override any of them. */
export interface FeishuLimits {
  /** Of the request's body. im-v1/message/create */
  readonly maxTextBytes: number;
  /** Of the request's body, for cards and posts. im-v1/message/create */
  readonly maxCardBytes: number;
  readonly maxUuidChars: number;
  /** The same uuid sends once in this time. im-v1/message/create */
  readonly uuidMs: number;
  /** Edits of a text or post. im-v1/message/update */
  readonly maxEdits: number;
  /** Cards can be changed for this long. im-v1/message/patch */
  readonly cardLifeMs: number;
  /** A streaming card closes by itself after this. cardkit-v1/streaming-updates-openapi-overview */
  readonly streamingMs: number;
  readonly maxElementChars: number;
  /** Tables in one card; reported by bots, not published. */
  readonly maxCardTables: number;
  readonly maxImageBytes: number;
  readonly maxFileBytes: number;
  /** Of a file that a message carries, on its way to an app. im-v1/message/get-2 */
  readonly maxResourceBytes: number;
  readonly tokenSeconds: number;
  /** An event that is not acknowledged in this time counts as failed. */
  readonly ackMs: number;
  /** Waits before an event is pushed again. */
  readonly retryMs: readonly number[];
  readonly maxConnections: number;
  /** Payloads above this are cut into several frames. */
  readonly frameBytes: number;
}

export const feishuLimits: FeishuLimits = {
  maxTextBytes: 150 * 1024,
  maxCardBytes: 30 * 1024,
  maxUuidChars: 50,
  uuidMs: 3_600_000,
  maxEdits: 20,
  cardLifeMs: 14 * 86_400_000,
  streamingMs: 600_000,
  maxElementChars: 100_000,
  maxCardTables: 5,
  maxImageBytes: 10 * 1024 * 1024,
  maxFileBytes: 30 * 1024 * 1024,
  maxResourceBytes: 100 * 1024 * 1024,
  tokenSeconds: 7_200,
  ackMs: 3_000,
  retryMs: [15_000, 300_000, 3_600_000, 21_600_000],
  maxConnections: 50,
  frameBytes: 64 * 1024,
};

/** Rates that are enforced when `flood` is on. im-v1/message/create, cardkit-v1 */
export const FLOOD = { chatPerSecond: 5, cardPerSecond: 10, patchPerSecond: 5 } as const;
