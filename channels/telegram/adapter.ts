import { AntlerError, asAntlerError } from '../../src/base/errors.ts';
import { Background } from '../../src/channel/background.ts';
import { backoffMs } from '../../src/channel/backoff.ts';
import { Lanes } from '../../src/channel/lanes.ts';
import type { Adapter, AdapterContext, Health, Target } from '../../src/channel/port.ts';
import { type BotApi, type BotIdentity, fetchIdentity } from './api.ts';
import { publishCommands } from './commands.ts';
import { isReachable, type TelegramConfig, UNREACHABLE } from './config.ts';
import { fetchFile } from './files.ts';
import { WEBHOOK_CONNECTIONS } from './limits.ts';
import { Moves } from './moves.ts';
import { inboundBase } from './normalize/context.ts';
import { ALLOWED_UPDATES } from './normalize/wire.ts';
import { following, placeOf, type Sending } from './outbound/post.ts';
import { deleteMessage, editMessage, sendMessage } from './outbound/send.ts';
import { sendFile } from './outbound/send-file.ts';
import { type Receiver, receiver } from './receive.ts';
import { poll } from './transport/polling.ts';
import { AlbumShelf } from './transport/shelf.ts';
import { answerWebhook, webhookSecret } from './transport/webhook.ts';
import { laneOf, speakerOf } from './update.ts';

const MENU_ATTEMPTS = 5;

/** Puts the parts together: one transport that receives, and the calls that send. */
export function createAdapter(context: AdapterContext<TelegramConfig>, api: BotApi): Adapter {
  const { channel, config, clock, log, report, accept } = context;
  const webhookUrl = config.webhook_url ?? context.webhookUrl;
  const secret = webhookSecret(config.bot_token, config.webhook_secret);
  const lanes = new Lanes();
  let bot: BotIdentity | undefined;
  let webhook = openWebhook();
  const background = new Background();

  const receiverFor = (identity: BotIdentity): Receiver => receiver({ context, api, bot: identity, moves });
  const identify = async (signal?: AbortSignal): Promise<BotIdentity> => {
    bot ??= await fetchIdentity(api, signal);
    return bot;
  };
  const moves = new Moves();
  const sending: Sending = { api, state: context.state, moves, onMigrated: announceMigration };

  return {
    async start() {
      await stop();
      if (!isReachable(config, context.webhookUrl))
        throw new AntlerError('config_invalid', `transport: ${UNREACHABLE}.`);
      report({ state: 'connecting' });
      bot = undefined; // it may have got another name
      await background.start({
        identify,
        unknown: ({ code, message }) =>
          log.warn({ code, problem: message }, 'Telegram does not say who the bot is; trying on'),
        run: receive,
      });
    },
    stop,
    probe,
    send: (target, document, options) => sendMessage(sending, target, document, options),
    edit: (target, id, document, options) => editMessage(sending, target, id, document, options),
    delete: (target, messageId) => deleteMessage(sending, target, messageId),
    async typing({ chat, chatKind, topic }) {
      const target = { chat, chatKind, ...(topic === undefined ? {} : { topic }) };
      await following(sending, target, (to) =>
        api.call('sendChatAction', { ...placeOf(to), action: 'typing' }, { idempotent: true }),
      );
    },
    sendFile: (target, file, caption, options) => sendFile(sending, target, file, caption, options),
    fetchFile: (file, options) => fetchFile(api, file, options),
    webhook: (request) => answerWebhook(request, { secret, take: (update) => webhook.take(update) }),
  };

  async function stop(): Promise<void> {
    background.abort();
    await webhook.close();
    await background.stop();
    webhook = openWebhook();
  }

  /** What comes by webhook until the channel stops. A request is answered when its update is durable. */
  function openWebhook() {
    const stopping = new AbortController();
    const { signal } = stopping;
    let known: Promise<Receiver> | undefined;
    const knownReceiver = (): Promise<Receiver> => {
      known ??= identify(signal).then(receiverFor);
      return known.catch((error: unknown) => {
        known = undefined; // the next update asks again
        throw error;
      });
    };
    const receiveAlbum: Receiver['receiveAlbum'] = async (...album) => (await knownReceiver()).receiveAlbum(...album);
    const shelf = new AlbumShelf({ state: context.state, lanes, clock, log, signal, receive: receiveAlbum });
    return {
      take: (update: unknown) =>
        lanes.run(laneOf(update), async () => {
          const receiver = await knownReceiver();
          const found = receiver.partIn(update);
          if (found !== undefined) return shelf.put(found.group, found.part);
          await shelf.close(laneOf(update), speakerOf(update) ?? '');
          return receiver.receive([update]);
        }),
      sweep: () => shelf.sweep(),
      close: async () => {
        stopping.abort();
        await shelf.idle();
      },
    };
  }

  async function probe(signal?: AbortSignal): Promise<Health> {
    try {
      const { username } = await fetchIdentity(api, signal);
      return { ok: true, identity: `@${username}` };
    } catch (thrown) {
      return { ok: false, problem: asAntlerError(thrown).message };
    }
  }

  /** Receives until `signal` aborts; never rejects. */
  async function receive(signal: AbortSignal): Promise<void> {
    const identity = await persist(signal, () => identify(signal));
    if (identity === undefined) return;
    // While polling too: the transport may have been another before.
    const background = Promise.all([showMenu(signal), webhook.sweep()]);
    const ready = await persist(signal, () =>
      config.transport === 'polling' ? unsetWebhook(signal) : setWebhook(signal),
    );
    if (ready !== undefined) {
      if (config.transport === 'webhook') report({ state: 'connected' });
      else await poll({ api, receive: receiverFor(identity).receive, clock, log, report, signal });
    }
    await background;
  }

  /** The menu is a convenience: without it everything works, so it neither delays nor fails anything. */
  async function showMenu(signal: AbortSignal): Promise<void> {
    for (let failures = 1; failures <= MENU_ATTEMPTS && !signal.aborted; failures++) {
      try {
        return await publishCommands(api, signal);
      } catch (thrown) {
        const error = asAntlerError(thrown);
        if (signal.aborted) return;
        log.warn({ code: error.code, problem: error.message }, 'the command menu could not be published');
        if (!error.retryable) return;
        await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
      }
    }
  }

  /** Calls until it works; undefined when `signal` aborts first. */
  async function persist<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T | undefined> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        return await attempt();
      } catch (thrown) {
        if (signal.aborted) return undefined;
        const error = asAntlerError(thrown);
        report({ state: 'failing', problem: error.message });
        await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
      }
    }
    return undefined;
  }

  /** Polling is refused while a webhook is set. What waits at Telegram is kept: it was said to the bot. */
  async function unsetWebhook(signal: AbortSignal): Promise<true> {
    await api.call('deleteWebhook', { drop_pending_updates: false }, { signal, idempotent: true });
    return true;
  }

  async function setWebhook(signal: AbortSignal): Promise<true> {
    if (webhookUrl === undefined) return true;
    const payload = {
      url: webhookUrl,
      secret_token: secret,
      allowed_updates: ALLOWED_UPDATES,
      max_connections: WEBHOOK_CONNECTIONS,
      drop_pending_updates: false,
    };
    await api.call('setWebhook', payload, { signal, idempotent: true });
    return true;
  }

  /** Both chats tell of the move as well; it counts once, whoever is first. */
  function announceMigration(target: Target, newChat: string): void {
    accept({
      ...inboundBase({ channel }),
      chat: { id: target.chat, kind: 'group' },
      id: `to${newChat}`,
      kind: 'migrated',
      sender: { id: target.chat, name: target.chat, isBot: false },
      sentAt: clock.now(),
      text: '',
      addressed: 'none',
      mentions: [],
      files: [],
      migratedTo: newChat,
    }).catch((error: unknown) => log.warn({ err: error }, 'intake did not take a migration'));
  }
}
