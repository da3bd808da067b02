import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../base/body.ts';
import { jsonResponse, readJson } from '../base/http.ts';
import type { ProposalDesk } from '../harness/proposals/port.ts';

const MAX_BODY_BYTES = 256;

const approval = z.object({
  /** In spite of severe findings. */
  force: z.boolean().default(false),
});

/** The routes below `/api/v1/operations/proposals`: what assistants propose, and what becomes of it. */
export function proposalRoutes(desk: Omit<ProposalDesk, 'propose' | 'soul'>): Hono {
  const app = new Hono();
  app.get('/', async () => jsonResponse(200, { proposals: await desk.list() }));
  app.get('/:id', async (c) => jsonResponse(200, await desk.show(c.req.param('id'))));
  app.post('/:id/approve', async (c) => {
    const { force } = readBody(approval, await readJson(c.req.raw, MAX_BODY_BYTES));
    return jsonResponse(200, await desk.approve(c.req.param('id'), force));
  });
  app.post('/:id/reject', async (c) => jsonResponse(200, await desk.reject(c.req.param('id'))));
  app.post('/:id/undo', async (c) => jsonResponse(200, await desk.undo(c.req.param('id'))));
  return app;
}
