/** How long what is waited for, in milliseconds. Nothing of this is published; wechaty itself gives a start 15 s. */
export const patience = {
  /** From the start of the process until wechaty has started: its import alone takes up to 6 s on a cold disk. */
  startMs: 60_000,
  /** Without any sign of life. */
  silenceMs: 50_000,
  /** Between requests for a sign of life. */
  dingMs: 15_000,
  /** Between the start, or a logout, and a QR code or a login. */
  loginMs: 120_000,
  /** Within this time {@link TROUBLES_MAX} errors and nothing else mean that it is stuck. */
  troubleMs: 60_000,
  /** A login that is forgotten so soon after the network failed is not over. */
  offlineMs: 10_000,
  /** How long the supervisor is kept waiting for the first sign of whether it works. */
  firstAnswerMs: 10_000,
  /** A login that was kept takes a moment; who asks for the bot's name is kept waiting that long. */
  probeMs: 3_000,
  /** For a text to be sent. With a file and the pause between them, it stays below the lease of a delivery: 90 s. */
  textMs: 25_000,
  /** For a file to be sent or fetched. */
  fileMs: 60_000,
} as const;

export type Patience = { readonly [Key in keyof typeof patience]: number };

/** wechat4u without a network reports an error a second and never gives up by itself. */
export const TROUBLES_MAX = 8;

/** A bot that ran this long did not fail at once, in milliseconds. */
export const STEADY_MS = 120_000;

/** Messages that wait for an intake that takes none; WeChat does not deliver again, so these are in memory alone. */
export const WAITING_MAX = 2_000;
