import { AntlerError } from '../base/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { McpServerEntry } from '../config/schema/mcp.ts';
import type { McpServerConfig } from '../harness/mcp/port.ts';

/** The servers of tools of a configuration as the harness takes them. */
export function mcpServersOf(config: Pick<Config, 'mcp_servers'>): readonly McpServerConfig[] {
  return Object.entries(config.mcp_servers).map(([name, entry]) => serverOf(name, entry));
}

function serverOf(name: string, entry: McpServerEntry): McpServerConfig {
  const common = { name, callTimeoutMs: entry.call_seconds * 1_000, startTimeoutMs: entry.start_seconds * 1_000 };
  if (entry.url !== undefined) return { ...common, transport: 'http', url: entry.url, headers: entry.headers };
  const { command, args, env, cwd } = entry;
  if (command === undefined) throw new AntlerError('config_invalid', `MCP server ${name} has neither command nor url`);
  return { ...common, transport: 'stdio', command, args, env, ...(cwd === undefined ? {} : { cwd }) };
}
