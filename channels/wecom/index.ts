import { createHash } from 'node:crypto';
import type { Capabilities, Manifest } from '../../src/channel/port.ts';
import { transportOf, type WecomConfig, wecomConfig } from './config.ts';
import {
  APP_TEXT_MAX_BYTES,
  BOT_FILE_IN_MAX_BYTES,
  BOT_TEXT_MAX_BYTES,
  CHAT_SENDS_A_MINUTE,
  CHAT_SENDS_AN_HOUR,
  EDIT_INTERVAL_MS,
  FILE_OUT_MAX_BYTES,
  REPEATS_KNOWN_MIN_SECONDS,
  THINKING_LOOK_MS,
} from './limits.ts';
import { splitForApp, splitForBot } from './outbound/split.ts';

/** WeCom (企业微信): an AI bot by its long connection or by callbacks, or a self-built app. */
export const wecom: Manifest<typeof wecomConfig> = {
  type: 'wecom',
  title: 'WeCom',
  config: wecomConfig,
  capabilities: {
    edit: true,
    delete: false,
    stream: 'edit',
    typing: true,
    reactions: true,
    history: false,
    topics: false,
    buttons: true,
    mentions: false,
    maxFileInBytes: BOT_FILE_IN_MAX_BYTES,
    maxFileOutBytes: FILE_OUT_MAX_BYTES.file,
    knowsRepeatsForMs: 0,
    textUnit: 'bytes',
    maxText: BOT_TEXT_MAX_BYTES,
  },
  pace: () => ({ minIntervalMs: EDIT_INTERVAL_MS, typingLastsMs: THINKING_LOOK_MS }),
  limits: (channel, { chat }, call) =>
    call === 'edit'
      ? []
      : [
          { scope: `wecom:${channel}:minute:${chat}`, ...CHAT_SENDS_A_MINUTE },
          { scope: `wecom:${channel}:hour:${chat}`, ...CHAT_SENDS_AN_HOUR },
        ],
  split: splitForBot,
  exclusive: (config) => transportOf(config) === 'websocket',
  sendsThroughConnection: (config) => transportOf(config) === 'websocket',
  forSettings: (config) => differences[transportOf(config)],
  account: accountOf,
  create: async (context) => {
    switch (transportOf(context.config)) {
      case 'websocket': {
        const [{ createWebsocketAdapter }, sdk] = await Promise.all([
          import('./websocket/adapter.ts'),
          import('@wecom/aibot-node-sdk'),
        ]);
        return createWebsocketAdapter(context, sdk);
      }
      case 'callback': {
        const { createCallbackAdapter } = await import('./callback/adapter.ts');
        return createCallbackAdapter(context);
      }
      case 'app': {
        const { createAppAdapter } = await import('./app/adapter.ts');
        return createAppAdapter(context);
      }
    }
  },
};

/** A bot that is only called back cannot send files, and shows by itself that it is at work; an app cannot change what it has said, but take it back. */
const differences: Readonly<Record<ReturnType<typeof transportOf>, ReturnType<NonNullable<typeof wecom.forSettings>>>> =
  {
    websocket: {},
    callback: { capabilities: differing({ typing: false, maxFileOutBytes: 0 }) },
    app: {
      capabilities: differing({
        edit: false,
        delete: true,
        stream: 'none',
        reactions: false,
        maxFileInBytes: FILE_OUT_MAX_BYTES.file,
        knowsRepeatsForMs: REPEATS_KNOWN_MIN_SECONDS * 1_000,
        maxText: APP_TEXT_MAX_BYTES,
      }),
      pace: () => ({ minIntervalMs: 0, typingLastsMs: 0 }),
      split: splitForApp,
    },
  };

function differing(some: Partial<Capabilities>): Capabilities {
  return { ...wecom.capabilities, ...some };
}

function accountOf(config: WecomConfig): { readonly key: string; readonly id: string } {
  switch (transportOf(config)) {
    case 'websocket':
      return { key: 'bot_id', id: config.bot_id ?? '' };
    case 'app':
      return { key: 'agent_id', id: `${config.corp_id} ${config.agent_id}` };
    case 'callback':
      return {
        key: 'token',
        id: createHash('sha256')
          .update(config.token ?? '')
          .digest('hex')
          .slice(0, 16),
      };
  }
}
