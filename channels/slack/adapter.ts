import { AntlerError, asAntlerError } from '../../src/base/errors.ts';
import { Background } from '../../src/channel/background.ts';
import { backoffMs } from '../../src/channel/backoff.ts';
import { Lanes } from '../../src/channel/lanes.ts';
import type { Adapter, AdapterContext } from '../../src/channel/port.ts';
import { type BotIdentity, fetchIdentity, type SlackApi } from './api.ts';
import { Askers } from './askers.ts';
import type { SlackConfig } from './config.ts';
import { Directory } from './directory.ts';
import { downloader } from './download.ts';
import { readEarlier } from './earlier.ts';
import { fetchFile } from './fetch-file.ts';
import { Installation } from './installation.ts';
import { Moves } from './moves.ts';
import { Attempts } from './outbound/attempts.ts';
import { Lookup } from './outbound/lookup.ts';
import { Responses } from './outbound/respond.ts';
import { deleteMessage, editMessage, type Sending, sendMessage } from './outbound/send.ts';
import { deleteFile, fileOf, sendFile } from './outbound/send-file.ts';
import { Streams } from './outbound/stream.ts';
import { examine, HELPFUL, missingScopes } from './probe.ts';
import { type Receive, receiver } from './receive.ts';
import { Status } from './status.ts';
import { Threads } from './threads.ts';
import { hear } from './transport/socket.ts';
import { answerWebhook } from './transport/webhook.ts';
import { UserGroups } from './user-groups.ts';

/** Puts the parts together: one transport that receives, and the calls that send. */
export function createAdapter(context: AdapterContext<SlackConfig>, api: SlackApi): Adapter {
  const { config, clock, log, report, state } = context;
  const lanes = new Lanes();
  const askers = new Askers();
  const moves = new Moves(state);
  const threads = new Threads(state, moves);
  const responses = new Responses(api);
  const status = new Status(api, askers);
  const directory = new Directory(api, clock);
  const groups = new UserGroups(api, clock);
  const download = downloader(config);
  const installation = new Installation({ api, log, report });
  let identity: BotIdentity | undefined;
  let receive: Receive | undefined;
  const background = new Background();

  const identify = async (signal?: AbortSignal): Promise<BotIdentity> => {
    if (identity === undefined) {
      const { scopes, ...found } = await fetchIdentity(api, signal);
      const missing = missingScopes(scopes, HELPFUL);
      if (missing.length > 0) log.warn({ missing }, 'the Slack app lacks scopes; what needs them does not work');
      identity = found;
    }
    return identity;
  };
  const receiving = async (signal?: AbortSignal): Promise<Receive> => {
    const bot = await identify(signal);
    receive ??= receiver({ context, api, bot, directory, groups, threads, moves, askers, responses, installation });
    return receive;
  };
  const sending: Sending = {
    ...{ api, state, threads, responses, clock, log },
    streams: new Streams({ api, identify, askers, clock, log }),
    lookup: new Lookup(api, clock),
    attempts: new Attempts(state),
  };

  return {
    async start() {
      await stop();
      report({ state: 'connecting' });
      identity = undefined; // it may be another app's token now
      receive = undefined;
      await background.start({
        identify,
        unknown: ({ code, message }) =>
          log.warn({ code, problem: message }, 'Slack does not say who the bot is; trying on'),
        run,
      });
    },
    stop,
    probe: (signal) => examine(api, config, signal),
    send: (target, document, options) => moves.follow(target, (to) => sendMessage(sending, to, document, options)),
    edit: async (target, id, document, options) => {
      if (fileOf(id) !== undefined) throw new AntlerError('unsupported', 'The caption of a file cannot be changed.');
      await moves.follow(target, (to) => editMessage(sending, to, id, document, options));
    },
    delete: (target, id) => {
      const file = fileOf(id);
      return file === undefined ? deleteMessage(sending, target, id) : deleteFile(sending, file);
    },
    sendFile: (target, file, caption, options) =>
      moves.follow(target, (to) => sendFile(sending, to, file, caption, options)),
    fetchFile: (file, options) => fetchFile({ api, download }, file, options),
    typing: (target) => status.show(target),
    groupsOf: (user) => groups.of(user),
    earlier: async (target, options) =>
      readEarlier({ api, bot: await identify(options.signal), directory }, target, options),
    webhook: (request) =>
      answerWebhook(request, {
        secret: config.signing_secret,
        verificationToken: config.verification_token,
        lanes,
        receive: () => receiving(),
        now: clock.now,
      }),
  };

  async function stop(): Promise<void> {
    await background.stop();
  }

  /** Receives until `signal` aborts; never rejects. */
  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        const take = await receiving(signal);
        if (config.transport === 'http') installation.report({ state: 'connected' });
        else {
          const dial = (until: AbortSignal) => api.socket(until);
          await hear({ dial, receive: take, clock, log, report: installation.report, signal });
        }
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = asAntlerError(thrown);
        report({ state: 'failing', problem: error.message });
        await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
      }
    }
  }
}
