import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../base/body.ts';
import { jsonResponse, readJson } from '../base/http.ts';
import type { ImUserKey } from '../base/ids.ts';
import { ROLES } from '../base/roles.ts';
import type { Register } from '../people/register.ts';
import type { ExplainQuestion, Explanation } from '../routing/explain.ts';

export interface PeopleRoutesOptions {
  readonly register: Register;
  readonly explain: (question: ExplainQuestion) => Promise<Explanation>;
}

const MAX_BODY_BYTES = 65_536;
const PAGE = 50;
const PAGE_MOST = 500;
/** Who does what is done through the API, in the audit. */
const BY = 'owner';

const key = z
  .string()
  .regex(/^[^/]+\/[^/]*\/[^/]+$/, 'expected a key such as slack/T012/U345')
  .transform((text) => text as ImUserKey);
const limit = z.coerce.number().int().min(1).max(PAGE_MOST).default(PAGE);
const page = z.object({ limit, seen_before: z.coerce.number().int().optional(), after_key: z.string().optional() });
const grant = z.object({ key, role: z.enum(ROLES).nullable() });
const pair = z.object({ one: key, other: key });
const one = z.object({ key });
const question = z.object({
  channel: z.string(),
  chat: z.string().optional(),
  user: z.string(),
  text: z.string().default(''),
  mentions: z.array(z.string()).default([]),
});

/** The routes below `/api/v1/operations/people`: who wrote to the bot, what they are, and who would answer them. */
export function peopleRoutes({ register, explain }: PeopleRoutesOptions): Hono {
  const app = new Hono();
  app.get('/', async (c) => {
    const { limit: most, seen_before: lastSeenAt, after_key: last } = readBody(page, c.req.query());
    const before = lastSeenAt === undefined ? {} : { before: { lastSeenAt, key: (last ?? '') as ImUserKey } };
    return jsonResponse(200, { users: await register.list({ limit: most, ...before }) });
  });
  app.post('/role', async (c) => {
    const asked = readBody(grant, await readJson(c.req.raw, MAX_BODY_BYTES));
    return jsonResponse(200, await register.grant(asked.key, asked.role, BY));
  });
  app.post('/link', async (c) => {
    const asked = readBody(pair, await readJson(c.req.raw, MAX_BODY_BYTES));
    await register.link(asked.one, asked.other, BY);
    return jsonResponse(200, asked);
  });
  app.post('/unlink', async (c) => {
    const asked = readBody(one, await readJson(c.req.raw, MAX_BODY_BYTES));
    await register.unlink(asked.key, BY);
    return jsonResponse(200, asked);
  });
  app.get('/audit', async (c) => {
    const asked = readBody(z.object({ limit }), c.req.query());
    return jsonResponse(200, { entries: await register.audit(asked.limit) });
  });
  app.post('/explain', async (c) =>
    jsonResponse(200, await explain(readBody(question, await readJson(c.req.raw, MAX_BODY_BYTES)))),
  );
  return app;
}
