import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../base/body.ts';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, readJson } from '../base/http.ts';
import type { Logger } from '../base/logger.ts';
import type { ProposalDesk } from '../harness/proposals/port.ts';
import { type McpDesk, mcpServerRoutes } from './mcp-servers.ts';
import type { Operator } from './operator.ts';
import { type PeopleRoutesOptions, peopleRoutes } from './people.ts';
import { proposalRoutes } from './proposals.ts';
import { type TaskAdmin, taskRoutes } from './tasks.ts';

export interface OperationsOptions {
  readonly operator: Operator;
  /** Absent: nobody is shown. */
  readonly people?: PeopleRoutesOptions;
  /** Absent: no assistant proposes anything. */
  readonly proposals?: ProposalDesk;
  /** Absent: nothing is delegated. */
  readonly tasks?: TaskAdmin;
  /** Absent: none are configured. */
  readonly mcp?: McpDesk;
  readonly log: Logger;
}

const DEFAULT_LIMIT = 50;
const MOST_LIMIT = 1_000;
const MAX_BODY_BYTES = 1_024;

const loginCode = z.object({
  code: z
    .string()
    .trim()
    .regex(/^[0-9A-Za-z]{1,16}$/),
});

/**
 * The routes below `/api/v1/operations`: the bus and its channels, dead letters, pausing, use. The guard stands before
 * them.
 */
export function operations({ operator, people, proposals, tasks, mcp, log }: OperationsOptions): Hono {
  const app = new Hono();

  app.get('/', async () => jsonResponse(200, await operator.overview()));

  app.get('/dead-letters', async (c) => jsonResponse(200, await operator.deadLetters(limitOf(c.req.query('limit')))));
  app.post('/dead-letters/replay', async () => jsonResponse(200, await operator.replayAll()));
  app.delete('/dead-letters', async () => jsonResponse(200, await operator.dropAll()));
  app.post('/dead-letters/:id/replay', async (c) => {
    const id = c.req.param('id');
    await operator.replay(id);
    return jsonResponse(200, { id });
  });
  app.delete('/dead-letters/:id', async (c) => {
    const id = c.req.param('id');
    await operator.drop(id);
    return jsonResponse(200, { id });
  });

  app.post('/channels/:name/pause', async (c) => {
    const name = c.req.param('name');
    await operator.pause(name);
    return jsonResponse(200, { name, paused: true });
  });
  app.post('/channels/:name/resume', async (c) => {
    const name = c.req.param('name');
    await operator.resume(name);
    return jsonResponse(200, { name, paused: false });
  });
  app.post('/channels/:name/login-code', async (c) => {
    const name = c.req.param('name');
    const { code } = readBody(loginCode, await readJson(c.req.raw, MAX_BODY_BYTES));
    await operator.enterLoginCode(name, code);
    return jsonResponse(200, { name });
  });

  app.get('/usage', async (c) => jsonResponse(200, await operator.usage(limitOf(c.req.query('limit')))));

  app.get('/pairing', async () => jsonResponse(200, await operator.pairing()));
  app.post('/pairing/:code/approve', async (c) =>
    jsonResponse(200, await operator.approvePairing(c.req.param('code'))),
  );
  app.post('/pairing/:code/deny', async (c) => jsonResponse(200, await operator.denyPairing(c.req.param('code'))));
  app.delete('/pairing/admitted/:channel/:user', async (c) => {
    const { channel, user } = c.req.param();
    await operator.revokePairing(channel, user);
    return jsonResponse(200, { channel, user });
  });

  if (people !== undefined) app.route('/people', peopleRoutes(people));
  if (proposals !== undefined) app.route('/proposals', proposalRoutes(proposals));
  if (tasks !== undefined) app.route('/tasks', taskRoutes(tasks));

  if (mcp !== undefined) app.route('/mcp-servers', mcpServerRoutes(mcp));

  app.onError((thrown) => {
    const error = asAntlerError(thrown);
    if (error === thrown && error.code !== 'internal') return errorResponse(error);
    log.error({ error: error.message }, "an operator's request failed");
    return failureResponse(500, 'internal', 'Something went wrong here; the log says more.');
  });
  return app;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_LIMIT)
    throw new AntlerError('bad_input', `limit: expected a whole number from 1 to ${MOST_LIMIT}`);
  return limit;
}
