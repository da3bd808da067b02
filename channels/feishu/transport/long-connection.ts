import type { Clock } from '../../../src/base/clock.ts';
import { asAntlerError } from '../../../src/base/errors.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import type { AdapterContext } from '../../../src/channel/port.ts';
import { runSession, type SessionOptions } from './session.ts';

export interface LongConnectionOptions extends Omit<SessionOptions, 'onConnected'> {
  readonly clock: Clock;
  readonly report: AdapterContext<unknown>['report'];
}

/** Keeps a long connection up until `signal` aborts, however often it is lost or refused; never rejects. */
export async function keepConnected({ clock, report, ...session }: LongConnectionOptions): Promise<void> {
  const { signal, log } = session;
  let failures = 0;
  const onConnected = (): void => {
    failures = 0;
    report({ state: 'connected' });
  };
  while (!signal.aborted) {
    try {
      await runSession({ ...session, onConnected });
    } catch (thrown) {
      const error = asAntlerError(thrown);
      failures += 1;
      if (signal.aborted) return;
      log.warn({ code: error.code, failures, problem: error.message }, 'the long connection is down; connecting anew');
      report({ state: 'failing', problem: error.message });
      await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
    }
  }
}
