import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../base/body.ts';
import { jsonResponse, readJson } from '../base/http.ts';
import type { ImUserKey } from '../base/ids.ts';

/** A task as the API shows it. Moments are milliseconds since the epoch. */
export interface TaskView {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly state: string;
  readonly channel: string;
  readonly chat: string;
  /** An IM user's key. */
  readonly requester: string;
  readonly assistant: string;
  /** A person who has it; null: the assistant does it. */
  readonly assignee: string | null;
  readonly parent: string | null;
  readonly deadline_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** What has come of it, in short. */
  readonly summary: string | null;
}

export interface TaskEventView {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TaskAsked {
  readonly channel: string;
  readonly chat: string;
  readonly requester: ImUserKey;
  readonly text: string;
  readonly title?: string | undefined;
  readonly assistant?: string | undefined;
  readonly deadline_at?: number | undefined;
  /** Asking again under the same key makes no second task. */
  readonly key?: string | undefined;
}

/** The owner's side of tasks. Each rejects with `not_found` or `conflict`. */
export interface TaskAdmin {
  list(page: { readonly open: boolean; readonly limit: number }): Promise<readonly TaskView[]>;
  show(id: string): Promise<{ readonly task: TaskView; readonly events: readonly TaskEventView[] }>;
  add(asked: TaskAsked): Promise<TaskView>;
  cancel(id: string): Promise<TaskView>;
}

const MAX_BODY_BYTES = 65_536;

const page = z.object({
  open: z.enum(['true', 'false']).default('true'),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
const asked = z.object({
  channel: z.string().min(1),
  chat: z.string().min(1),
  requester: z
    .string()
    .regex(/^[^/]+\/[^/]*\/[^/]+$/, 'expected a key such as slack/T012/U345')
    .transform((text) => text as ImUserKey),
  text: z.string().trim().min(1).max(20_000),
  title: z.string().trim().min(1).max(120).optional(),
  assistant: z.string().min(1).optional(),
  deadline_at: z.number().int().positive().optional(),
  key: z.string().min(1).max(200).optional(),
});

/** The routes below `/api/v1/operations/tasks`: delegated work, and delegating some. */
export function taskRoutes(tasks: TaskAdmin): Hono {
  const app = new Hono();
  app.get('/', async (c) => {
    const { open, limit } = readBody(page, c.req.query());
    return jsonResponse(200, { tasks: await tasks.list({ open: open === 'true', limit }) });
  });
  app.post('/', async (c) =>
    jsonResponse(200, await tasks.add(readBody(asked, await readJson(c.req.raw, MAX_BODY_BYTES)))),
  );
  app.get('/:id', async (c) => jsonResponse(200, await tasks.show(c.req.param('id'))));
  app.post('/:id/cancel', async (c) => jsonResponse(200, await tasks.cancel(c.req.param('id'))));
  return app;
}
