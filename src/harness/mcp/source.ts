import type { Clock } from '../../base/clock.ts';
import { AntlerError, asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Tool, ToolSource } from '../tools/port.ts';
import type { McpServerConfig, McpServerStatus, TokenShelf } from './port.ts';
import { McpServer } from './server.ts';

export interface McpOptions {
  readonly servers: readonly McpServerConfig[];
  /** Of a server by its name. Absent: tokens are kept in memory only. */
  readonly tokens?: (server: string) => TokenShelf;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/** The tools of MCP servers. A server that is broken or slow takes its own tools away and nothing else. */
export interface McpSource extends ToolSource {
  readonly statuses: readonly McpServerStatus[];
  /** Connects to a server that is not connected, and lists its tools. @throws AntlerError `not_found`. */
  check(name: string): Promise<McpServerStatus>;
  close(): Promise<void>;
}

function inMemory(): TokenShelf {
  let kept: string | null = null;
  return {
    read: async () => kept,
    write: async (text) => {
      kept = text;
    },
  };
}

/**
 * @example
 * const mcp = createMcpSource({ servers, clock, log });
 * const harness = createHarness({ log, clock, sources: [mcp] });
 */
export function createMcpSource({ servers: configs, tokens = inMemory, clock, log }: McpOptions): McpSource {
  const servers = configs.map((config) => new McpServer(config, tokens(config.name), clock, log));

  async function toolsOf(server: McpServer): Promise<readonly Tool[]> {
    const { name } = server.config;
    try {
      return await server.tools();
    } catch (thrown) {
      log.warn({ server: name, problem: asAntlerError(thrown).message }, 'an MCP server is not there');
      return [];
    }
  }

  return {
    name: 'MCP',
    tools: async ({ mcpServers = [] }) => {
      const wanted = servers.filter(({ config }) => mcpServers.includes('all') || mcpServers.includes(config.name));
      return (await Promise.all(wanted.map(toolsOf))).flat();
    },
    get statuses() {
      return servers.map(({ status }) => status);
    },
    check: async (name) => {
      const server = servers.find(({ config }) => config.name === name);
      if (server === undefined) throw new AntlerError('not_found', `There is no MCP server named ${name}.`);
      await server.tools().catch(() => {}); // its status says why
      return server.status;
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
