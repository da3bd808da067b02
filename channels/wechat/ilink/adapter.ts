import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { backoffMs } from '../../../src/channel/backoff.ts';
import type { Adapter, AdapterContext, ConnectionStatus, Health } from '../../../src/channel/port.ts';
import type { WechatConfig } from '../config.ts';
import { post } from './client.ts';
import { contextTokens } from './contexts.ts';
import { type Credentials, keepCredentials } from './credentials.ts';
import { fetchFile } from './fetch-file.ts';
import { login } from './login.ts';
import { poll } from './poll.ts';
import { laneOf, receiver } from './receive.ts';
import { recentMessages } from './recent.ts';
import { Refusals } from './refusals.ts';
import { type Sending, sendText } from './send.ts';
import { sendFile } from './send-file.ts';
import { session as sessionOf } from './session.ts';
import { typing } from './typing.ts';
import { codeDesk } from './verify-code.ts';
import { verdictShape } from './wire.ts';

/** How long `probe` waits for a connection that is only just being made. */
const PROBE_PATIENCE_MS = 1_500;

/** WeChat's own bot interface: a login by QR code, then one long poll that receives. */
export async function createIlinkAdapter(context: AdapterContext<WechatConfig>): Promise<Adapter> {
  const { channel, config, clock, log, state, secrets, accept } = context;
  const session = sessionOf(secrets);
  const recent = recentMessages(state);
  const sending: Sending = { session, state, recent, refusals: new Refusals(), clock, log };
  const desk = codeDesk(context.broadcast, channel);
  const indicator = typing(session, state, clock);
  let status: ConnectionStatus = { state: 'stopped' };
  let running: { readonly stopping: AbortController; readonly over: Promise<void> } | undefined;

  return {
    async start() {
      await stop();
      const stopping = new AbortController();
      report({ state: 'connecting' });
      running = { stopping, over: run(stopping.signal) };
    },
    stop,
    probe,
    async send(target, document, options) {
      const sent = await sendText(sending, target, document, options);
      await indicator.hide(target.chat);
      return sent;
    },
    sendFile: (target, file, caption, options) => sendFile(sending, config.cdn_root, target, file, caption, options),
    fetchFile: (file, options) => fetchFile(config.cdn_root, file, options),
    typing: ({ chat }) => indicator.show(chat),
    enterLoginCode: async (code) => desk.enter(code),
  };

  async function stop(): Promise<void> {
    running?.stopping.abort();
    await running?.over;
    running = undefined;
    status = { state: 'stopped' };
  }

  function report(next: ConnectionStatus): void {
    status = next;
    context.report(next);
  }

  /** Logs in and receives until `signal` aborts; never rejects. */
  async function run(signal: AbortSignal): Promise<void> {
    const close = desk.open();
    let failures = 0;
    let former: Credentials | null = null;
    while (!signal.aborted) {
      try {
        const kept = await session.current();
        const credentials: Credentials = kept ?? (await loggedIn(former, signal));
        former = credentials;
        failures = 0;
        await receive(credentials, signal);
      } catch (thrown) {
        if (signal.aborted) break;
        const error = asAntlerError(thrown);
        if (error.code === 'unauthorized' && former !== null) {
          log.warn({}, 'WeChat has ended the login');
          session.ended(former);
          continue;
        }
        failures += 1;
        log.warn({ code: error.code, problem: error.message, failures }, 'the connection failed');
        report({ state: 'failing', problem: error.message });
        await clock.sleep(error.retryAfterMs ?? backoffMs(failures), signal).catch(() => {}); // stopped
      }
    }
    close();
  }

  async function loggedIn(former: Credentials | null, signal: AbortSignal): Promise<Credentials> {
    // Whoever has scanned must not have done so in vain: what a login yields can be kept, or it says why not.
    await secrets.set('check', String(clock.now()));
    const credentials = await login({
      apiRoot: config.api_root,
      former,
      takeCode: desk.take,
      codeTyped: desk.typed,
      ...{ report, clock, log, signal },
    });
    // Whoever holds the connection meanwhile has a login of its own, which must not be overwritten.
    if (signal.aborted) throw new AntlerError('cancelled', 'The login was cancelled.');
    await keepCredentials(secrets, credentials);
    session.begun(credentials);
    log.info({ bot: credentials.bot, by: credentials.owner }, 'logged in to WeChat');
    return credentials;
  }

  async function receive(credentials: Credentials, signal: AbortSignal): Promise<void> {
    const { token, root, bot } = credentials;
    report({ state: 'connecting' });
    try {
      await post(root, 'ilink/bot/msg/notifystart', {}, verdictShape, { token, signal, idempotent: true });
      // The first poll is answered only when somebody writes; this says as well that the login is good.
      report({ state: 'connected' });
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.code === 'unauthorized' || signal.aborted) throw error;
      log.debug({ problem: error.message }, 'WeChat was not told of the start');
    }
    const take = receiver({
      about: () => ({ channel, bot, now: clock.now() }),
      contexts: contextTokens(state, bot),
      ...{ accept, recent, clock, log, signal },
    });
    await poll({ credentials, take, laneOf, state, report, clock, log, signal });
  }

  async function probe(signal?: AbortSignal): Promise<Health> {
    await settled(signal);
    if (status.state === 'failing') return { ok: false, problem: status.problem };
    if (status.state === 'login')
      return {
        ok: false,
        problem: 'Somebody has to scan the QR code with WeChat; Antler’s page and terminal show it.',
      };
    try {
      const credentials = await session.current();
      if (credentials === null) return { ok: false, problem: NOBODY };
      await assertAlive(credentials, signal);
      return { ok: true, identity: credentials.bot };
    } catch (thrown) {
      return { ok: false, problem: asAntlerError(thrown).message };
    }
  }

  /** Asks for what does no harm; that there is no such thing is an answer, too. */
  async function assertAlive({ root, token, owner }: Credentials, signal?: AbortSignal): Promise<void> {
    const options = { token, signal, idempotent: true };
    try {
      await post(root, 'ilink/bot/getconfig', { ilink_user_id: owner }, verdictShape, options);
    } catch (thrown) {
      if (asAntlerError(thrown).code !== 'bad_input') throw thrown;
    }
  }

  /** A connection that is only just being made is given a moment. */
  async function settled(signal?: AbortSignal): Promise<void> {
    const deadline = clock.now() + PROBE_PATIENCE_MS;
    const isOnTheWay = (): boolean => status.state === 'connecting' || status.state === 'login';
    while (isOnTheWay() && clock.now() < deadline && signal?.aborted !== true)
      await clock.sleep(20, signal).catch(() => {}); // whoever asked has gone
  }
}

const NOBODY =
  'Nobody has logged in yet: start Antler, whose terminal and page then show a QR code to scan with WeChat.';
