import type { Manifest } from '../../src/channel/port.ts';
import { slackConfig } from './config.ts';
import {
  CHANNEL_SENDS,
  EDIT_INTERVAL_MS,
  EDITS,
  FILE_MAX_BYTES,
  MARKDOWN_MAX_CHARS,
  REPEATS_KNOWN_MS,
  STATUS_LASTS_MS,
  WORKSPACE_SENDS,
} from './limits.ts';
import { splitDocument } from './outbound/split.ts';

/** Slack, by its Web API and Socket Mode or signed HTTP events. */
export const slack: Manifest<typeof slackConfig> = {
  type: 'slack',
  title: 'Slack',
  config: slackConfig,
  capabilities: {
    edit: true,
    delete: true,
    stream: 'edit',
    typing: true,
    reactions: true,
    history: true,
    topics: true,
    buttons: true,
    mentions: true,
    maxFileInBytes: FILE_MAX_BYTES,
    maxFileOutBytes: FILE_MAX_BYTES,
    knowsRepeatsForMs: REPEATS_KNOWN_MS,
    textUnit: 'chars',
    maxText: MARKDOWN_MAX_CHARS,
  },
  pace: () => ({ minIntervalMs: EDIT_INTERVAL_MS, typingLastsMs: STATUS_LASTS_MS }),
  limits: (channel, { chat }, call) =>
    call === 'edit'
      ? [{ scope: `slack:${channel}:edits`, ...EDITS }]
      : [
          { scope: `slack:${channel}`, ...WORKSPACE_SENDS },
          { scope: `slack:${channel}:chat:${chat}`, ...CHANNEL_SENDS },
        ],
  split: splitDocument,
  exclusive: ({ transport }) => transport === 'socket',
  account: ({ bot_token, api_root }) => ({ key: 'bot_token', id: `${bot_token} ${api_root}` }),
  create: async (context) => {
    const [{ createApi }, { createAdapter }] = await Promise.all([import('./api.ts'), import('./adapter.ts')]);
    return createAdapter(context, await createApi(context.config, context.log));
  },
};
