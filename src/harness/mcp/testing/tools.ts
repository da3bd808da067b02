import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** A real MCP server with a few tools, for a transport to be put under. */
export function toolServer(): McpServer {
  const server = new McpServer({ name: 'tried', version: '1.0.0' });
  server.registerTool(
    'add',
    { description: 'Adds two numbers.', inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerTool('environment', { description: 'Its environment.' }, () => ({
    content: [{ type: 'text', text: JSON.stringify(process.env) }],
  }));
  server.registerTool('fail', { description: 'Fails.' }, () => ({
    content: [{ type: 'text', text: 'no such thing' }],
    isError: true,
  }));
  server.registerTool('die', { description: 'Dies.' }, () => process.exit(1));
  server.registerTool('sleep', { description: 'Never answers.' }, () => new Promise(() => {}));
  server.registerTool('odd name!', { description: 'Shows a picture.' }, () => ({
    content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
  }));
  return server;
}
