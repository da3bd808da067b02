import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Adapter, AdapterContext, ConnectionStatus, Health } from '../../../src/channel/port.ts';
import { refusalOf } from '../../../src/channel/refusal.ts';
import type { WechatConfig } from '../config.ts';
import { type Patience, patience } from './limits.ts';
import { Sending } from './outbound/send.ts';
import { probeFromOutside } from './probe.ts';
import type { PuppetSettings } from './process/protocol.ts';
import { Receiver } from './receive.ts';
import { type Spawn, spawnBot } from './session/bot-process.ts';
import { Keeper } from './session/keeper.ts';

export interface WechatyOptions {
  readonly spawn?: Spawn;
  readonly patience?: Partial<Patience>;
}

/**
 * A personal account by wechaty. wechaty itself runs in a process of its own, which is watched, ended and started anew;
 * here are only what it says and what it is told.
 */
export async function createWechatyAdapter(
  context: AdapterContext<WechatConfig>,
  options: WechatyOptions = {},
): Promise<Adapter> {
  const { channel, config, clock, log, accept, state, secrets } = context;
  let receiver = new Receiver({ channel, clock, log, accept });
  const refusal = refusalOf([config.puppet_options.token ?? ''], state, log);
  const keeper = new Keeper({
    settings: puppetSettings(config),
    spawn: options.spawn ?? spawnBot(),
    patience: { ...patience, ...options.patience },
    ...{ clock, log, secrets, report },
    onHeard: (heard) => receiver.hear(heard),
  });
  const sending = new Sending(keeper, clock);

  return {
    async start() {
      await stop();
      receiver = new Receiver({ channel, clock, log, accept });
      await keeper.start().catch(async (thrown: unknown) => {
        if (asAntlerError(thrown).code === 'unauthorized') await refusal.note(true);
        throw thrown;
      });
    },
    stop,
    probe,
    send: (target, document, how) => sending.text(target, document, how),
    sendFile: (target, file, caption, how) => sending.file(target, file, caption, how),
    fetchFile: ({ id }, { maxBytes, signal }) => keeper.perform({ kind: 'fetch', message: id, maxBytes }, signal),
  };

  async function stop(): Promise<void> {
    await keeper.stop();
    await receiver.stop();
  }

  function report(status: ConnectionStatus): void {
    if (status.state === 'connected') void refusal.note(false); // it never rejects
    context.report(status);
  }

  async function probe(signal?: AbortSignal): Promise<Health> {
    const account = await keeper.identify();
    if (account !== undefined) return { ok: true, identity: account.name || account.id };
    if (!keeper.isRunning) return (await refusal.isNoted()) ? REFUSED : probeFromOutside(config, signal);
    return { ok: false, problem: 'Nobody is logged in; scan the QR code that the channel shows.' };
  }
}

const REFUSED: Health = {
  ok: false,
  problem: 'The puppet service refused puppet_options.token when it was last tried.',
};

function puppetSettings({ puppet, puppet_options: { token, endpoint, tls } }: WechatConfig): PuppetSettings {
  if (puppet === 'wechaty-puppet-wechat4u') return { puppet };
  if (token === undefined)
    throw new AntlerError('config_invalid', 'puppet_options.token: a puppet service needs its token.');
  return { puppet, token, tls, ...(endpoint === undefined ? {} : { endpoint }) };
}
