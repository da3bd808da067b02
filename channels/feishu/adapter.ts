import { AntlerError, asAntlerError } from '../../src/base/errors.ts';
import { Background } from '../../src/channel/background.ts';
import { backoffMs } from '../../src/channel/backoff.ts';
import { DoubleClicks } from '../../src/channel/double-clicks.ts';
import { Lanes } from '../../src/channel/lanes.ts';
import type { Adapter, AdapterContext, Health } from '../../src/channel/port.ts';
import { type BotIdentity, createApi, fetchIdentity } from './api.ts';
import type { FeishuConfig } from './config.ts';
import { NAMES_BUDGET_MS } from './limits.ts';
import { Departments } from './lookup/departments.ts';
import { Directory, type Names } from './lookup/directory.ts';
import { readEarlier } from './lookup/earlier.ts';
import { fetchFile } from './lookup/fetch-file.ts';
import { Places } from './lookup/places.ts';
import { Messenger } from './outbound/messenger.ts';
import { sendFile } from './outbound/send-file.ts';
import { TypingMarks } from './outbound/typing.ts';
import { type Receiving, receiveEvent } from './receive.ts';
import { createHttp, type Sdk } from './sdk.ts';
import { keepConnected } from './transport/long-connection.ts';
import { answerWebhook, canVerify } from './transport/webhook.ts';

/** Puts the parts together: one transport that receives, and the calls that send. */
export function createAdapter(context: AdapterContext<FeishuConfig>, sdk: Sdk): Adapter {
  const { channel, config, clock, log, report } = context;
  const api = createApi(sdk, config, log);
  const places = new Places(context.state);
  const typing = new TypingMarks(api, places, log);
  const directory = new Directory(api, clock);
  const departments = new Departments(api, clock);
  const names = (): Names => directory.until(AbortSignal.timeout(NAMES_BUDGET_MS));
  const sending = { api, places, channel, names };
  const messenger = new Messenger(sending, clock);
  let bot: BotIdentity | undefined;
  const background = new Background();

  const identify = async (signal?: AbortSignal): Promise<BotIdentity> => {
    bot ??= await fetchIdentity(api, config.app_id, signal);
    return bot;
  };
  const receiving: Receiving = {
    context,
    api,
    names,
    places,
    lanes: new Lanes(),
    clicks: new DoubleClicks(),
    identify,
  };
  const receive = (event: unknown): Promise<object> => receiveEvent(event, receiving);

  return {
    async start() {
      await stop();
      if (config.transport === 'webhook' && !canVerify(secretsOf(config)))
        throw new AntlerError('config_invalid', NO_SECRET);
      report({ state: 'connecting' });
      bot = undefined; // it may have got another name
      await background.start({
        identify,
        unknown: ({ code, message }) =>
          log.warn({ code, problem: message }, 'Feishu does not say who the bot is; trying on'),
        run,
      });
    },
    stop,
    probe,
    async send(target, document, options) {
      const sent = await messenger.send(target, document, options);
      typing.answered(target);
      return sent;
    },
    async sendFile(target, file, caption, options) {
      const sent = await sendFile(sending, target, file, caption, options);
      typing.answered(target);
      return sent;
    },
    fetchFile: (file, options) => fetchFile(api, file, options),
    edit: (target, messageId, document, options) => messenger.edit(target, messageId, document, options),
    delete: (_target, messageId) => messenger.delete(messageId),
    typing: (target) => typing.show(target),
    groupsOf: (user) => departments.of(user),
    earlier: async (target, options) =>
      readEarlier({ api, names: names(), bot: await identify(options.signal) }, target, options),
    webhook: (request) => answerWebhook(request, { secrets: secretsOf(config), now: () => clock.now(), receive }),
  };

  async function stop(): Promise<void> {
    await background.stop();
    await typing.stop();
    api.close();
  }

  async function probe(signal?: AbortSignal): Promise<Health> {
    try {
      const { name } = await fetchIdentity(api, config.app_id, signal);
      return { ok: true, identity: `@${name}` };
    } catch (thrown) {
      return { ok: false, problem: asAntlerError(thrown).message };
    }
  }

  /** Receives until `signal` aborts; never rejects. */
  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted && bot === undefined; failures++) {
      try {
        await identify(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = asAntlerError(thrown);
        report({ state: 'failing', problem: error.message });
        await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
      }
    }
    if (signal.aborted) return;
    if (config.transport === 'webhook') return report({ state: 'connected' });
    const { http, close } = createHttp(sdk);
    await keepConnected({ sdk, config, http, log, receive, signal, clock, report });
    close();
  }
}

const secretsOf = ({ encrypt_key, verification_token }: FeishuConfig) => ({
  ...(encrypt_key === undefined ? {} : { encrypt_key }),
  ...(verification_token === undefined ? {} : { verification_token }),
});

const NO_SECRET =
  'transport: webhook needs encrypt_key (better) or verification_token, both from Events & Callbacks, Encryption Strategy: without them anybody could speak as Feishu.';
