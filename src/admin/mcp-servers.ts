import { Hono } from 'hono';
import { jsonResponse } from '../base/http.ts';
import type { McpSource } from '../harness/mcp/source.ts';

/** What the routes need of it. */
export type McpDesk = Pick<McpSource, 'statuses' | 'check'>;

/**
 * The routes below `/api/v1/operations/mcp-servers`: how the servers of tools are doing, as this process sees them. One
 * that nobody has needed yet is `idle`; `check` connects to it.
 */
export function mcpServerRoutes(desk: McpDesk): Hono {
  const app = new Hono();
  app.get('/', () => jsonResponse(200, { servers: desk.statuses }));
  app.post('/:name/check', async (c) => jsonResponse(200, await desk.check(c.req.param('name'))));
  return app;
}
