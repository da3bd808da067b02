import type { Clock } from '../../base/clock.ts';
import { asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Tool, ToolSource } from '../tools/port.ts';
import type { McpServerConfig, McpServerStatus } from './port.ts';
import { McpServer } from './server.ts';

export interface McpOptions {
  readonly servers: readonly McpServerConfig[];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/** The tools of MCP servers. A server that is broken or slow takes its own tools away and nothing else. */
export interface McpSource extends ToolSource {
  readonly statuses: readonly McpServerStatus[];
  close(): Promise<void>;
}

/**
 * @example
 * const mcp = createMcpSource({ servers, clock, log });
 * const harness = createHarness({ log, clock, sources: [mcp] });
 */
export function createMcpSource({ servers: configs, clock, log }: McpOptions): McpSource {
  const servers = configs.map((config) => new McpServer(config, clock, log));

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
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
