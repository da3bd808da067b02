/** How hard a storm is and how long it may last. */
export interface Plan {
  /** Bots on the platform, each a channel of its own, so that the platform's limit for one bot does not bound the run. */
  readonly bots: number;
  /** Chats over all bots; each is a thread. Every tenth is a group. */
  readonly chats: number;
  readonly messagesPerChat: number;
  readonly gateways: number;
  readonly workers: number;
  /** A random process is killed this often, in milliseconds. */
  readonly killEveryMs: number;
  readonly redisRestarts: number;
  /** Shares of updates that come a second time, and of sends whose answer is cut off after they were done. */
  readonly redelivered: number;
  readonly dropped: number;
  /** People wait with new messages while so many are unanswered: the machine sets the pace, not a clock. */
  readonly unanswered: number;
  /** After this, nothing new is said and nothing more is killed, in milliseconds. */
  readonly stormMs: number;
  /** When nothing is answered for so long after the storm, what is missing is lost, in milliseconds. */
  readonly patienceMs: number;
}

/** `npm run test:chaos`. */
export const full: Plan = {
  bots: 20,
  chats: 1_000,
  messagesPerChat: 20,
  gateways: 2,
  workers: 4,
  killEveryMs: 1_000,
  redisRestarts: 2,
  redelivered: 0.01,
  dropped: 0.01,
  unanswered: 120,
  stormMs: 25 * 60_000,
  patienceMs: 150_000,
};

/** For `npm test`: less of everything, more mishaps for each message. */
export const short: Plan = {
  ...full,
  bots: 4,
  chats: 30,
  messagesPerChat: 8,
  workers: 2,
  killEveryMs: 3_000,
  redisRestarts: 1,
  redelivered: 0.05,
  dropped: 0.03,
  unanswered: 50,
  stormMs: 60_000,
  patienceMs: 40_000,
};
