import { badRequest } from '../api-error.ts';
import type { Params } from '../params.ts';
import type { Method } from './context.ts';

/** Longer waits are cut to this by the real server. */
const maxTimeoutSeconds = 50;

/** Absent means: as before. */
function allowedUpdates(params: Params): readonly string[] | undefined {
  const list = params.json('allowed_updates');
  return Array.isArray(list) ? list.map(String) : undefined;
}

const getUpdates: Method = ({ bot, params, signal }) =>
  bot.updates.poll({
    offset: params.integer('offset') ?? 0,
    limit: params.integer('limit') ?? 100,
    timeoutMs: Math.min(Number(params.text('timeout') || 0), maxTimeoutSeconds) * 1000,
    allowed: allowedUpdates(params),
    signal,
  });

const setWebhook: Method = ({ bot, params }) => {
  const url = params.text('url');
  bot.updates.allowed = allowedUpdates(params);
  if (params.flag('drop_pending_updates')) bot.updates.forgetAll();
  if (url === '') {
    bot.webhook.clear();
    return true;
  }
  // Plain http is what a server that runs locally accepts: https://core.telegram.org/bots/api#using-a-local-bot-api-server
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  const secret = params.text('secret_token');
  if (secret !== '' && !/^[A-Za-z0-9_-]{1,256}$/.test(secret))
    throw badRequest('secret token contains unallowed characters');
  const connections = params.integer('max_connections') ?? 40;
  bot.webhook.set({ url, secret, maxConnections: Math.min(Math.max(connections, 1), 100) });
  return true;
};

const deleteWebhook: Method = ({ bot, params }) => {
  if (params.flag('drop_pending_updates')) bot.updates.forgetAll();
  bot.webhook.clear();
  return true;
};

const getWebhookInfo: Method = ({ bot }) => bot.webhook.info();

export const updateMethods: Readonly<Record<string, Method>> = {
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
};
