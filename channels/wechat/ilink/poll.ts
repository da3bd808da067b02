import type { Clock } from '../../../src/base/clock.ts';
import { type AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { ChannelState, ConnectionStatus } from '../../../src/channel/port.ts';
import {
  ILINK_POLL_EMPTY_PAUSE_MS,
  ILINK_POLL_GRACE_MS,
  ILINK_POLL_HOLD_MAX_MS,
  ILINK_POLL_HOLD_MIN_MS,
  ILINK_POLL_HOLD_MS,
} from '../limits.ts';
import { post } from './client.ts';
import type { Credentials } from './credentials.ts';
import { updatesShape } from './wire.ts';

export interface PollOptions {
  readonly credentials: Credentials;
  /** Takes one message in; resolves when it is durable or given up, rejects only when stopped. */
  readonly take: (message: unknown) => Promise<void>;
  /** Whose messages keep their order. */
  readonly laneOf: (message: unknown) => string;
  readonly state: ChannelState;
  readonly report: (status: ConnectionStatus) => void;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Each bot has its own: after a login as another account the old place says nothing. */
const cursorKey = ({ bot }: Credentials): string => `cursor/${bot}`;

/**
 * Polls until `signal` aborts (then it resolves) or until the login is over (then it rejects with `unauthorized`). The
 * place in WeChat's queue is kept only when all before it is taken in, so whatever dies in between comes again.
 */
export async function poll(options: PollOptions): Promise<void> {
  const { credentials, state, report, clock, log, signal } = options;
  let cursor = (await state.get(cursorKey(credentials))) ?? '';
  let holdMs = ILINK_POLL_HOLD_MS;
  /** In a row; undefined before the first poll. */
  let failures: number | undefined;

  while (!signal.aborted) {
    const began = clock.now();
    try {
      const { msgs, get_updates_buf: next, longpolling_timeout_ms: hint } = await fetchUpdates(cursor, holdMs, options);
      if (failures) log.info({ failures }, 'polling works again');
      if (failures !== 0) report({ state: 'connected' });
      failures = 0;
      if (hint !== undefined && hint > 0) holdMs = clamped(hint);
      await takeAll(msgs, options);
      if (signal.aborted) return; // another process may hold the connection now: the place is no longer ours to keep
      if (next !== undefined && next !== '' && next !== cursor) {
        await state.set(cursorKey(credentials), next);
        cursor = next;
      }
      const wasQuick = clock.now() - began < ILINK_POLL_EMPTY_PAUSE_MS;
      if (msgs.length === 0 && wasQuick) await clock.sleep(ILINK_POLL_EMPTY_PAUSE_MS, signal).catch(() => {}); // stopped
    } catch (thrown) {
      if (signal.aborted) return;
      const error = asAntlerError(thrown);
      if (error.code === 'unauthorized') throw error;
      failures = (failures ?? 0) + 1;
      log.warn({ code: error.code, problem: error.message, failures }, 'a poll failed');
      report({ state: 'failing', problem: error.message });
      await clock.sleep(pauseMs(error, failures), signal).catch(() => {}); // stopped
    }
  }
}

async function fetchUpdates(cursor: string, holdMs: number, { credentials, signal }: PollOptions) {
  const { root, token } = credentials;
  try {
    return await post(root, 'ilink/bot/getupdates', { get_updates_buf: cursor }, updatesShape, {
      token,
      signal,
      timeoutMs: holdMs + ILINK_POLL_GRACE_MS,
      idempotent: true,
    });
  } catch (thrown) {
    // Nobody has said anything: the server holds the call as long as it likes.
    if (asAntlerError(thrown).code === 'timeout') return updatesShape.parse({});
    throw thrown;
  }
}

/** Chats side by side, each in order; resolves when all are taken in. */
async function takeAll(messages: readonly unknown[], { take, laneOf }: PollOptions): Promise<void> {
  const lanes = new Lanes();
  await Promise.all(messages.map((message) => lanes.run(laneOf(message), () => take(message))));
}

const clamped = (ms: number): number => Math.min(ILINK_POLL_HOLD_MAX_MS, Math.max(ILINK_POLL_HOLD_MIN_MS, ms));

const pauseMs = (error: AntlerError, failures: number): number => error.retryAfterMs ?? backoffMs(failures);
