import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { didYouMean } from '../base/near.ts';
import type { MessageBus } from '../bus/port.ts';
import { letterView } from './letter-view.ts';
import type { ChannelView, Connection, Operator, Swept } from './operator.ts';

export interface BusOperatorOptions {
  readonly bus: Pick<MessageBus, 'stats' | 'paused' | 'pause' | 'resume' | 'deadLetters'>;
  /** The configured channels, with what each one's connection does as far as this process knows. */
  readonly channels: () => ReadonlyMap<string, Connection>;
  /** Absent: this process runs no channels. */
  readonly enterLoginCode?: (channel: string, code: string) => Promise<void>;
  /** Absent: this process runs no channels. */
  readonly pairing?: PairingDesk;
  /** Absent: this process runs no channels. */
  readonly usage?: Operator['usage'];
  /** Takes secrets out of what is shown. */
  readonly scrub: (text: string) => string;
  readonly log: Logger;
}

/** What an operator does with strangers, as the gateway offers it. */
export type PairingDesk = Pick<Operator, 'pairing' | 'approvePairing' | 'denyPairing' | 'revokePairing'>;

const needsRunning = (what: string) => async (): Promise<never> => {
  throw new AntlerError('unavailable', `No running Antler was asked; ${what} needs one.`);
};
const noPairing = needsRunning('pairing');

/** Dead letters that "all" means at one time: they are read into memory together. */
const SWEEP_MOST = 10_000;

/** The operator's side of a bus that this process has open. */
export function createBusOperator({
  bus,
  channels,
  enterLoginCode,
  pairing,
  usage,
  scrub,
  log,
}: BusOperatorOptions): Operator {
  const letters = bus.deadLetters;

  async function channelViews(): Promise<ChannelView[]> {
    const paused = new Set(await bus.paused());
    const configured = channels();
    const gone = [...paused].filter((name) => !configured.has(name));
    return [
      ...[...configured].map(([name, connection]) => ({ name, paused: paused.has(name), connection })),
      ...gone.map((name) => ({ name, paused: true, connection: { state: 'absent' } as const })),
    ];
  }

  async function sweep(deal: (id: string) => Promise<boolean>): Promise<Swept> {
    const { deadLetters: total } = await bus.stats();
    const found = await letters.list(Math.min(total, SWEEP_MOST));
    let done = 0;
    for (const { id } of found.toReversed()) if (await deal(id)) done += 1;
    return { done, left: Math.max(0, total - found.length) };
  }

  return {
    overview: async () => {
      const [stats, views] = await Promise.all([bus.stats(), channelViews()]);
      return {
        bus: {
          queued_threads: stats.queuedThreads,
          running_threads: stats.runningThreads,
          waiting_inputs: stats.waitingInputs,
          pending_deliveries: stats.pendingDeliveries,
          dead_letters: stats.deadLetters,
        },
        channels: views,
      };
    },
    deadLetters: async (limit) => {
      const [stats, found] = await Promise.all([bus.stats(), letters.list(limit)]);
      return { total: stats.deadLetters, letters: found.map((letter) => letterView(letter, scrub)) };
    },
    replay: async (id) => {
      if (!(await letters.replay(id))) throw noLetter(id);
      log.info({ letter: id }, 'a dead letter was put back');
    },
    replayAll: async () => {
      const swept = await sweep((id) => letters.replay(id));
      log.info({ ...swept }, 'all dead letters were put back');
      return swept;
    },
    drop: async (id) => {
      if (!(await letters.drop(id))) throw noLetter(id);
      log.info({ letter: id }, 'a dead letter was thrown away');
    },
    dropAll: async () => {
      const swept = await sweep((id) => letters.drop(id));
      log.info({ ...swept }, 'all dead letters were thrown away');
      return swept;
    },
    pause: async (channel) => {
      const names = [...channels().keys()];
      if (!names.includes(channel)) throw noChannel(channel, names);
      await bus.pause(channel);
      log.info({ channel }, 'the channel was paused');
    },
    resume: async (channel) => {
      const names = (await channelViews()).map(({ name }) => name);
      if (!names.includes(channel)) throw noChannel(channel, names);
      await bus.resume(channel);
      log.info({ channel }, 'the channel was resumed');
    },
    pairing: pairing?.pairing ?? noPairing,
    approvePairing: pairing?.approvePairing ?? noPairing,
    denyPairing: pairing?.denyPairing ?? noPairing,
    revokePairing: pairing?.revokePairing ?? noPairing,
    usage: usage ?? needsRunning('what was used'),
    enterLoginCode: async (channel, code) => {
      const names = [...channels().keys()];
      if (!names.includes(channel)) throw noChannel(channel, names);
      if (enterLoginCode === undefined)
        throw new AntlerError('unavailable', 'No running Antler answered, so nobody logs in.');
      await enterLoginCode(channel, code);
      log.info({ channel }, 'a number was typed in for a login');
    },
  };
}

const noLetter = (id: string): AntlerError =>
  new AntlerError('not_found', `There is no dead letter ${JSON.stringify(id)} (any more).`);

function noChannel(name: string, names: readonly string[]): AntlerError {
  const near = didYouMean(name, names);
  const others = names.length === 0 ? '; no channel is switched on' : `; there are ${names.join(', ')}`;
  return new AntlerError('not_found', `There is no channel ${JSON.stringify(name)}${near === '' ? others : near}`);
}
