import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { AdapterContext, Health } from '../channel/port.ts';
import type { Config } from '../config/schema/config.ts';
import { channelBook } from './channels.ts';

/** Asks the platform of a channel who the bot is, with an adapter that is never started and keeps nothing. */
export async function probeChannel(config: Config, name: string, log: Logger, signal: AbortSignal): Promise<Health> {
  const entry = channelBook(config).get(name);
  if (entry === undefined) throw new AntlerError('not_found', `no channel named ${name}`);
  const adapter = await entry.manifest.create(idleContext(name, config.channels[name]?.settings, log));
  try {
    return await adapter.probe(signal);
  } finally {
    await adapter.stop();
  }
}

function idleContext(channel: string, settings: unknown, log: Logger): AdapterContext<unknown> {
  const idle = async (): Promise<never> => {
    throw new AntlerError('unsupported', 'a channel that is only probed does nothing else');
  };
  return {
    channel,
    config: settings,
    log,
    clock: systemClock,
    accept: idle,
    state: { get: async () => null, set: async () => {} },
    secrets: { get: async () => null, set: async () => {} },
    hosted: { append: idle, edit: idle, list: idle },
    hostedFiles: { maxBytes: 0, keep: idle, find: idle, read: idle },
    broadcast: { publish: () => {}, subscribe: () => () => {} },
    report: () => {},
    stopRun: idle,
    isBusy: idle,
  };
}
