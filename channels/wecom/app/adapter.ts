import { z } from 'zod';
import { BoundedMap } from '../../../src/base/bounded-map.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import type { Adapter, AdapterContext, FetchedFile, Health } from '../../../src/channel/port.ts';
import { settingsOf, type WecomConfig } from '../config.ts';
import { WecomError } from '../errors.ts';
import { REMEMBERED_MAX } from '../limits.ts';
import { createApi } from './api.ts';
import { Directory } from './directory.ts';
import { readMediaId } from './media-id.ts';
import { receiver } from './receive.ts';
import { recall, type Sending, sendFile, sendMessage } from './send.ts';
import { answerWebhook } from './webhook.ts';

const agentShape = z.looseObject({ name: z.string().min(1) });

/** A self-built app: WeCom calls us with what people say, and we call its API with answers. */
export function createAppAdapter(context: AdapterContext<WecomConfig>): Adapter {
  const { config, clock, log, state, report } = context;
  const settings = settingsOf(config, 'app');
  const { corp_id: corpId, corp_secret: corpSecret, agent_id: agentId } = settings;
  const api = createApi({ root: config.api_root, corpId, corpSecret, agentId, secrets: context.secrets, clock });
  const sending: Sending = { api, agentId, format: config.text_format, state, cards: new BoundedMap(REMEMBERED_MAX) };
  const directory = new Directory(api, clock, log);
  const receive = receiver({ context, sending, directory, lanes: new Lanes() });
  const secrets = { token: settings.token, aesKey: settings.encoding_aes_key, receiver: corpId };
  let starting = new AbortController();
  let isFailing = false;

  return {
    async start() {
      starting = new AbortController();
      report({ state: 'connecting' });
      await identify(starting.signal).catch((thrown: unknown) => {
        const error = asAntlerError(thrown);
        if (!error.retryable && error.code !== 'cancelled') throw error;
        log.warn({ code: error.code, problem: error.message }, 'WeCom does not say who the app is; trying on');
      });
      report({ state: 'connected' });
    },
    stop: async () => starting.abort(),
    probe,
    send: (target, document, options) => watched(() => sendMessage(sending, target, document, options)),
    sendFile: (target, file, caption, options) => watched(() => sendFile(sending, target, file, caption, options)),
    delete: (_target, messageId) => recall(sending, messageId),
    async fetchFile(file, options): Promise<FetchedFile> {
      const mediaId = readMediaId(file.id);
      if (mediaId === null) throw new AntlerError('not_found', 'This is no file of WeCom’s.');
      return api.download(mediaId, file.name, options);
    },
    webhook: (request) => answerWebhook(request, { secrets, now: () => clock.now(), receive }),
  };

  async function identify(signal?: AbortSignal): Promise<string> {
    const agent = agentShape.safeParse(
      await api.call('agent/get', { query: { agentid: agentId }, signal, idempotent: true }),
    );
    return agent.success ? agent.data.name : agentId;
  }

  async function probe(signal?: AbortSignal): Promise<Health> {
    try {
      return { ok: true, identity: await identify(signal) };
    } catch (thrown) {
      return { ok: false, problem: asAntlerError(thrown).message };
    }
  }

  /** What only an admin can mend is shown as the channel's state; the message waits meanwhile. */
  async function watched<Result>(send: () => Promise<Result>): Promise<Result> {
    try {
      const result = await send();
      if (isFailing) report({ state: 'connected' });
      isFailing = false;
      return result;
    } catch (thrown) {
      if (thrown instanceof WecomError && thrown.code === 'unauthorized') {
        isFailing = true;
        report({ state: 'failing', problem: thrown.message });
      }
      throw thrown;
    }
  }
}
