import { createSecrets } from '../admin/secrets.ts';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { AdapterContext, ChannelState, Health } from '../channel/port.ts';
import type { Config } from '../config/schema/config.ts';
import type { Store } from '../store/port.ts';
import { channelBook } from './channels.ts';
import { openDatabase } from './rooms.ts';
import { sealedState } from './sealed-state.ts';
import type { Surroundings } from './surroundings.ts';

/** Asks the platform of a channel who the bot is, with an adapter that is never started and keeps nothing. */
export async function probeChannel(
  config: Config,
  name: string,
  { log, env }: Pick<Surroundings, 'log' | 'env'>,
  signal: AbortSignal,
): Promise<Health> {
  const entry = channelBook(config).get(name);
  if (entry === undefined) throw new AntlerError('not_found', `no channel named ${name}`);
  const kept = whatIsKept(config, name, log, env.ANTLER_SECRET_KEY);
  const adapter = await entry.manifest.create({ ...idleContext(name, config.channels[name]?.settings, log), ...kept });
  try {
    return await adapter.probe(signal);
  } finally {
    await adapter.stop();
    await kept.close();
  }
}

/** A channel's memory, to be read: a login by QR code lies there. The database is opened only when it is asked. */
function whatIsKept(config: Config, channel: string, log: Logger, secretKey: string | undefined) {
  let opening: Promise<Store> | undefined;
  const store = (): Promise<Store> => {
    opening ??= openDatabase(config, log);
    return opening;
  };
  const state: ChannelState = {
    get: async (key) => (await store()).channelState.get(channel, key),
    set: async () => {},
  };
  return {
    state,
    secrets: sealedState(state, channel, createSecrets({ key: secretKey, dataDir: config.data_dir })),
    close: async () => {
      const opened = await opening?.catch(() => undefined); // the probe has told it
      await opened?.close();
    },
  };
}

function idleContext(
  channel: string,
  settings: unknown,
  log: Logger,
): Omit<AdapterContext<unknown>, 'state' | 'secrets'> {
  const idle = async (): Promise<never> => {
    throw new AntlerError('unsupported', 'a channel that is only probed does nothing else');
  };
  return {
    channel,
    config: settings,
    log,
    clock: systemClock,
    accept: idle,
    hosted: { append: idle, edit: idle, list: idle },
    hostedFiles: { maxBytes: 0, keep: idle, find: idle, read: idle },
    broadcast: { publish: () => {}, subscribe: () => () => {} },
    report: () => {},
    stopRun: idle,
    isBusy: idle,
  };
}
