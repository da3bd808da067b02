import { asAntlerError } from '../../src/base/errors.ts';
import type { Health } from '../../src/channel/port.ts';
import { fetchIdentity, type SlackApi } from './api.ts';
import type { SlackConfig } from './config.ts';

/** Without these the bot hears or says nothing; the README's manifest has them all. */
const NEEDED = ['chat:write', 'app_mentions:read', 'im:history'] as const;

/** Proves the tokens, and that the app may do the least it has to. Never rejects. */
export async function examine(api: SlackApi, config: SlackConfig, signal?: AbortSignal): Promise<Health> {
  try {
    const { name, team, scopes } = await fetchIdentity(api, signal);
    const identity = team === '' ? `@${name}` : `@${name} (${team})`;
    const missing = scopes.length === 0 ? [] : NEEDED.filter((scope) => !scopes.includes(scope));
    if (missing.length > 0) {
      const problem = `The app lacks ${missing.join(', ')}; add it under OAuth & Permissions and install the app again.`;
      return { ok: false, identity, problem };
    }
    if (config.transport === 'socket') await api.checkAppToken(signal);
    return { ok: true, identity };
  } catch (thrown) {
    return { ok: false, problem: asAntlerError(thrown).message };
  }
}
