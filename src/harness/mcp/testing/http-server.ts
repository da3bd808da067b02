import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { toolServer } from './tools.ts';

export interface HttpToolServer {
  readonly url: string;
  /** Headers of every request so far. */
  readonly authorizations: readonly (string | undefined)[];
  stop(): Promise<void>;
}

/** A real MCP server by streamable HTTP on a free loopback port, which wants a token. */
export async function startHttpToolServer(token: string): Promise<HttpToolServer> {
  const authorizations: (string | undefined)[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
    // The class's own type is looser than the interface under exact optional properties.
    if (known === undefined) await toolServer().connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    authorizations,
    stop: async () => {
      for (const transport of sessions.values()) await transport.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
