import { BoundedMap } from '../../../src/base/bounded-map.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { Adapter, AdapterContext } from '../../../src/channel/port.ts';
import { fetchFile } from '../bot/fetch-file.ts';
import { saidIn } from '../bot/said.ts';
import { settingsOf, type WecomConfig } from '../config.ts';
import { FETCH_PATIENCE_MS, REMEMBERED_MAX } from '../limits.ts';
import type { Answering } from './answering.ts';
import { Bell } from './bell.ts';
import { Places } from './places.ts';
import { receiver } from './receive.ts';
import { editMessage, sendMessage } from './send.ts';
import { answerWebhook } from './webhook.ts';

/** An AI bot that WeCom calls: messages come as requests, and answers are fetched by further requests. */
export function createCallbackAdapter(
  context: AdapterContext<WecomConfig>,
  patienceMs: number = FETCH_PATIENCE_MS,
): Adapter {
  const { channel, config, clock, log, state, report } = context;
  const { token, encoding_aes_key: aesKey } = settingsOf(config, 'callback');
  const answering: Answering = {
    places: new Places(state),
    bell: new Bell(context.broadcast, channel),
    said: saidIn(state, log),
    cards: new BoundedMap(REMEMBERED_MAX),
    ...{ state, clock, log, patienceMs },
  };
  const receive = receiver({ context, answering, lanes: new Lanes() });
  const secrets = { token, aesKey, receiver: '' };

  return {
    start: async () => report({ state: 'connected' }),
    stop: async () => {},
    // There is nobody to ask: WeCom gives such bots no way to begin.
    probe: async () => ({ ok: true, identity: config.bot_id ?? config.bot_name ?? channel }),
    send: (target, document, options) => sendMessage(answering, target, document, options),
    edit: (target, messageId, document, options) => editMessage(answering, target, messageId, document, options),
    fetchFile: (file, options) => fetchFile(file, aesKey, options),
    webhook: (request) => answerWebhook(request, { secrets, now: () => clock.now(), receive }),
  };
}
