/** How hard a storm is and how long it may last. */
export interface Plan {
  /** Bots on the platform, each a channel of its own, so that the platform's limit for one bot does not bound the run. */
  readonly bots: number;
  /** Apps on Feishu, channels as well. */
  readonly apps: number;
  /** Chats over all bots and apps; each is a thread. Every tenth is a group. */
  readonly chats: number;
  /** So many of them are on Feishu. */
  readonly appChats: number;
  readonly messagesPerChat: number;
  readonly gateways: number;
  /** Workers that nobody knows the death of until their leases run out. */
  readonly workers: number;
  /** Workers under a supervisor, which hands over what they had in hand. */
  readonly supervised: number;
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
  apps: 4,
  chats: 1_000,
  appChats: 200,
  messagesPerChat: 20,
  gateways: 2,
  workers: 2,
  supervised: 2,
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
  apps: 1,
  chats: 30,
  appChats: 6,
  messagesPerChat: 11,
  workers: 1,
  killEveryMs: 3_000,
  redisRestarts: 1,
  redelivered: 0.05,
  dropped: 0.06,
  unanswered: 50,
  stormMs: 60_000,
  patienceMs: 40_000,
};
