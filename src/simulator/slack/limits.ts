/**
 * What Slack allows. Sources: the method references (https://docs.slack.dev/reference/methods), the block references
 * (https://docs.slack.dev/reference/block-kit/blocks), https://docs.slack.dev/apis/web-api/rate-limits,
 * https://docs.slack.dev/apis/events-api. `blocksChars` is undocumented: https://github.com/slackapi/bolt-js/issues/2509.
 */
export interface SlackLimits {
  /** Longer texts are cut by chat.postMessage. */
  readonly postTextChars: number;
  /** Longer texts are refused by chat.update. */
  readonly updateTextChars: number;
  /** Of all markdown blocks of a message together, and of `markdown_text`. */
  readonly markdownChars: number;
  /** Of all blocks of a message together. */
  readonly blocksChars: number;
  readonly blocks: number;
  readonly sectionChars: number;
  readonly actionElements: number;
  readonly buttonTextChars: number;
  readonly buttonValueChars: number;
  /** A stream that is not stopped by then is over. */
  readonly streamLifeMs: number;
  /** How long a status stands unless a message comes. */
  readonly statusLastsMs: number;
  /** An event that is not acknowledged by then is delivered again. */
  readonly ackMs: number;
  /** Waits before each further delivery. */
  readonly retryDelaysMs: readonly number[];
  readonly socketsPerApp: number;
  readonly requestAgeSeconds: number;
}

export const slackLimits: SlackLimits = {
  postTextChars: 40_000,
  updateTextChars: 4_000,
  markdownChars: 12_000,
  blocksChars: 13_200,
  blocks: 50,
  sectionChars: 3_000,
  actionElements: 25,
  buttonTextChars: 75,
  buttonValueChars: 2_000,
  streamLifeMs: 300_000,
  statusLastsMs: 120_000,
  ackMs: 3_000,
  retryDelaysMs: [0, 60_000, 300_000],
  socketsPerApp: 10,
  requestAgeSeconds: 300,
};

/** Calls a minute of one app in the workspace. https://docs.slack.dev/apis/web-api/rate-limits */
export const TIER_PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100 } as const;
export type Tier = keyof typeof TIER_PER_MINUTE;

/** Messages a second to one channel, and how many at once. Ibid.; the burst is our reading of "short". */
export const POSTS = { perChannelPerSecond: 1, burst: 10 } as const;
