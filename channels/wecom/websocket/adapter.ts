import { BoundedMap } from '../../../src/base/bounded-map.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import { persistentFlow } from '../../../src/channel/persistently.ts';
import type { Adapter, AdapterContext, ConnectionStatus, Health } from '../../../src/channel/port.ts';
import { refusalOf } from '../../../src/channel/refusal.ts';
import { fetchFile } from '../bot/fetch-file.ts';
import { saidIn } from '../bot/said.ts';
import { settingsOf, type WecomConfig } from '../config.ts';
import { HEARTBEAT_MS, REMEMBERED_MAX } from '../limits.ts';
import { Connection } from './connection.ts';
import { reach } from './reach.ts';
import { laneOf, receiver } from './receive.ts';
import { editMessage, sendMessage, showThinking } from './send.ts';
import { sendFile } from './send-file.ts';
import { sendingOf } from './sending.ts';
import type { Incoming, Sdk } from './session.ts';

/** What waits for intake, at most; whoever is so far behind had better not hear more. */
const WAITING_MAX = 2_000;

/** An AI bot by its long connection: everything comes and goes through it. */
export function createWebsocketAdapter(
  context: AdapterContext<WecomConfig>,
  sdk: Sdk,
  heartbeatMs: number = HEARTBEAT_MS,
): Adapter {
  const { config, clock, log, state } = context;
  const { bot_id: botId, secret } = settingsOf(config, 'websocket');
  const dialling = { sdk, botId, secret, url: config.ws_url, heartbeatMs };
  const lanes = new Lanes();
  let status: ConnectionStatus = { state: 'stopped' };
  let waiting = 0;
  const refusal = refusalOf([botId, secret], state, log);
  const connection = new Connection({ ...dialling, take, report, refusal, clock, log });
  const sending = sendingOf({ connection, state, said: saidIn(state, log), clock, log });
  const receive = receiver({ context, sending });
  // WeCom does not deliver again what intake did not take.
  const offer = persistentFlow({ clock, log });
  const captioned = new BoundedMap<string, true>(REMEMBERED_MAX);

  return {
    async start() {
      await stop();
      report({ state: 'connecting' });
      await connection.start();
    },
    stop,
    probe,
    send: (target, document, options) => sendMessage(sending, target, document, options),
    edit: (target, messageId, document, options) => editMessage(sending, target, messageId, document, options),
    typing: (target) => showThinking(sending, target),
    sendFile: (target, file, caption, options) => sendFile(sending, captioned, target, file, caption, options),
    fetchFile: (file, options) => fetchFile(file, undefined, options),
  };

  async function stop(): Promise<void> {
    await connection.stop();
    await lanes.idle();
    status = { state: 'stopped' };
  }

  function report(next: ConnectionStatus): void {
    status = next;
    context.report(next);
  }

  function take(incoming: Incoming, signal: AbortSignal): void {
    if (waiting >= WAITING_MAX) {
      log.error({ waiting }, 'a message is lost: intake has been down for too long');
      connection.end(
        new AntlerError('unavailable', 'Too many messages wait to be stored; the connection waits.', {
          retryable: true,
        }),
      );
      return;
    }
    waiting += 1;
    const over = (): void => void waiting--;
    lanes.run(laneOf(incoming), () => offer(() => receive(incoming), { about: {}, signal })).then(over, over); // it never rejects
  }

  /**
   * There is no question that only asks who the bot is. Connected, it is what it says; otherwise only the way to WeCom is
   * tried, since to connect as the bot would take it away from the process that is connected; what became of the last
   * attempt is known.
   */
  async function probe(signal?: AbortSignal): Promise<Health> {
    if (status.state === 'failing') return { ok: false, problem: status.problem };
    try {
      if (status.state !== 'stopped') await connection.link(signal);
      else if (await refusal.isNoted()) return { ok: false, problem: REFUSED };
      else await reach(config.ws_url, signal);
      return { ok: true, identity: status.state === 'stopped' ? `${botId} (its secret is tried at the start)` : botId };
    } catch (thrown) {
      return { ok: false, problem: asAntlerError(thrown).message };
    }
  }
}

const REFUSED = 'WeCom refused bot_id and secret when they were last tried; take both anew from the bot’s settings.';
