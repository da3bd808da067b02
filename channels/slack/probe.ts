import { asAntlerError } from '../../src/base/errors.ts';
import type { Health } from '../../src/channel/port.ts';
import { fetchIdentity, type SlackApi } from './api.ts';
import type { SlackConfig } from './config.ts';

/** Without these the bot hears or says nothing; the README's manifest has them all. */
const NEEDED = ['chat:write', 'app_mentions:read', 'im:history'] as const;

/** Without these it works, but hears of fewer things, knows no names or handles no files. */
export const HELPFUL = [
  ...['channels:history', 'groups:history', 'mpim:history', 'channels:read', 'groups:read'],
  ...['files:read', 'files:write', 'reactions:read', 'usergroups:read', 'users:read'],
] as const;

/** Those that the app lacks; none when Slack does not say what it has. */
export const missingScopes = (scopes: readonly string[], wanted: readonly string[]): string[] =>
  scopes.length === 0 ? [] : wanted.filter((scope) => !scopes.includes(scope));

/** Proves the tokens, and that the app may do the least it has to. Never rejects. */
export async function examine(api: SlackApi, config: SlackConfig, signal?: AbortSignal): Promise<Health> {
  try {
    const { name, team, scopes } = await fetchIdentity(api, signal);
    const identity = team === '' ? `@${name}` : `@${name} (${team})`;
    const missing = missingScopes(scopes, NEEDED);
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
