import { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { ConnectionStatus } from '../../../src/channel/port.ts';
import type { BotApi } from '../api.ts';
import { POLL_HOLD_SECONDS, POLL_MAX_UPDATES, POLL_TIMEOUT_MS } from '../limits.ts';
import { ALLOWED_UPDATES } from '../normalize/wire.ts';
import type { Receive } from '../receive.ts';
import { updateIdOf } from '../update.ts';
import { gathering } from './gathering.ts';
import { persistentReceiver } from './intake-retry.ts';
import { Ledger } from './ledger.ts';

/** How long a poll waits for intake; what takes longer is confirmed by a later one, and meanwhile other chats go on. */
const INTAKE_GRACE_MS = 250;
/** Between polls that can only bring what is known already, because some of it is not taken in yet. */
const RECHECK_MS = 1_000;

export interface PollingOptions {
  readonly api: BotApi;
  readonly receive: Receive;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: (status: ConnectionStatus) => void;
  readonly signal: AbortSignal;
}

/**
 * Polls until `signal` aborts; never rejects. An update is confirmed to Telegram only when intake has made it durable,
 * so whatever dies in between, Telegram delivers it again.
 */
export async function poll(options: PollingOptions): Promise<void> {
  const { clock, log, report, signal } = options;
  const ledger = new Ledger();
  const lanes = new Lanes();
  const gathered = gathering({ lanes, clock, signal, receive: persistentReceiver(options) });
  let progress = Promise.withResolvers<void>();
  /** In a row; undefined before the first poll. */
  let failures: number | undefined;

  while (!signal.aborted) {
    try {
      const fresh = await fetchUpdates(options, ledger);
      if (failures) log.info({ failures }, 'polling works again');
      if (failures !== 0) report({ state: 'connected' });
      failures = 0;
      for (const update of fresh) void settle(update);
      if (ledger.hasOpen) await rest(fresh.length > 0 || gathered.isOpen ? INTAKE_GRACE_MS : RECHECK_MS);
    } catch (thrown) {
      if (signal.aborted) break;
      const error = asAntlerError(thrown);
      failures = (failures ?? 0) + 1;
      log.warn({ code: error.code, problem: error.message, failures }, 'a poll failed');
      report({ state: 'failing', problem: error.message });
      await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
    }
  }
  await lanes.idle();

  async function settle(update: unknown): Promise<void> {
    const id = updateIdOf(update);
    const isTaken = await gathered.take(update).catch(() => false); // it stopped while an album was being gathered
    if (id === undefined || !isTaken) return;
    ledger.done(id);
    if (ledger.hasOpen) return;
    progress.resolve();
    progress = Promise.withResolvers();
  }

  /** Until everything is taken in, but not for longer than `ms`. */
  async function rest(ms: number): Promise<void> {
    const over = new AbortController();
    const sleeping = clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => {}); // no need to go on
    await Promise.race([progress.promise, sleeping]);
    over.abort();
    await sleeping;
  }
}

const batch = z.array(z.unknown());

/** The updates that are not known yet, in Telegram's order. */
async function fetchUpdates({ api, signal }: PollingOptions, ledger: Ledger): Promise<unknown[]> {
  const offset = ledger.offset();
  const result = await api.call(
    'getUpdates',
    {
      ...(offset === undefined ? {} : { offset }),
      limit: POLL_MAX_UPDATES,
      timeout: POLL_HOLD_SECONDS,
      allowed_updates: ALLOWED_UPDATES,
    },
    { signal, timeoutMs: POLL_TIMEOUT_MS, idempotent: true },
  );
  const updates = batch.safeParse(result);
  if (!updates.success) throw new AntlerError('unavailable', 'Telegram’s answer is not a list.', { retryable: true });
  if (offset !== undefined) ledger.confirmed(offset);
  return updates.data.filter((update) => {
    const id = updateIdOf(update);
    return id !== undefined && ledger.open(id);
  });
}
