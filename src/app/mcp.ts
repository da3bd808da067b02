import type { Secrets } from '../admin/secrets.ts';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Config } from '../config/schema/config.ts';
import type { McpServerEntry } from '../config/schema/mcp.ts';
import type { McpOauth, McpServerConfig, McpServerStatus, TokenShelf } from '../harness/mcp/port.ts';
import { createMcpSource } from '../harness/mcp/source.ts';
import type { Settings } from '../store/port.ts';

/** The servers of tools of a configuration as the harness takes them. */
export function mcpServersOf(config: Pick<Config, 'mcp_servers'>): readonly McpServerConfig[] {
  return Object.entries(config.mcp_servers).map(([name, entry]) => serverOf(name, entry));
}

function serverOf(name: string, entry: McpServerEntry): McpServerConfig {
  const common = { name, callTimeoutMs: entry.call_seconds * 1_000, startTimeoutMs: entry.start_seconds * 1_000 };
  if (entry.url !== undefined) {
    const oauth = entry.oauth === undefined ? {} : { oauth: oauthOf(entry.oauth) };
    return { ...common, transport: 'http', url: entry.url, headers: entry.headers, ...oauth };
  }
  const { command, args, env, cwd } = entry;
  if (command === undefined) throw new AntlerError('config_invalid', `MCP server ${name} has neither command nor url`);
  return { ...common, transport: 'stdio', command, args, env, ...(cwd === undefined ? {} : { cwd }) };
}

/** What doctor finds. Null: a refresh token may be good for once, and then it belongs to the Antler that runs. */
export async function probeMcp(config: Config, name: string, log: Logger): Promise<McpServerStatus | null> {
  const servers = mcpServersOf(config).filter((server) => server.name === name);
  if (servers.some((server) => server.transport === 'http' && server.oauth?.refreshToken !== undefined)) return null;
  const source = createMcpSource({ servers, clock: systemClock, log });
  try {
    return await source.check(name);
  } finally {
    await source.close();
  }
}

function oauthOf(entry: NonNullable<McpServerEntry['oauth']>): McpOauth {
  const { client_secret: clientSecret, refresh_token: refreshToken, scope } = entry;
  return {
    tokenUrl: entry.token_url,
    clientId: entry.client_id,
    clientAuth: entry.client_auth,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Tokens of servers in the database, encrypted, each bound to its server. */
export const tokenShelves =
  (settings: Pick<Settings, 'get' | 'set'>, secrets: Secrets) =>
  (server: string): TokenShelf => {
    const key = `mcp-token/${server}`;
    return {
      read: async () => {
        const sealed = await settings.get(key);
        return typeof sealed === 'string' ? secrets.open(sealed, key).catch(() => null) : null; // another master key
      },
      write: async (text) => settings.set(key, await secrets.seal(text, key)),
    };
  };
