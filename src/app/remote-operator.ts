import { z } from 'zod';
import type { LetterList, Operator, Overview, PairedView, PairingView, Swept, UsageView } from '../admin/operator.ts';
import { AntlerError } from '../base/errors.ts';
import type { OwnerApi } from './owner-api.ts';

const ROOT = '/api/v1/operations';
const count = z.int().min(0);

const swept: z.ZodType<Swept> = z.object({ done: count, left: count });
const overview: z.ZodType<Overview> = z.object({
  bus: z.object({
    queued_threads: count,
    running_threads: count,
    waiting_inputs: count,
    pending_deliveries: count,
    dead_letters: count,
  }),
  channels: z.array(
    z.object({
      name: z.string(),
      paused: z.boolean(),
      connection: z.union([
        z.object({ state: z.literal('failing'), problem: z.string() }),
        z.object({
          state: z.literal('login'),
          qr: z.string(),
          hint: z.string(),
          wantsCode: z.boolean().exactOptional(),
        }),
        z.object({ state: z.enum(['connecting', 'connected', 'stopped', 'standby', 'unknown', 'absent']) }),
      ]),
    }),
  ),
});
const letters: z.ZodType<LetterList> = z.object({
  total: count,
  letters: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['turn', 'delivery', 'uncertain']),
      at: z.number(),
      error: z.string(),
      channel: z.string().exactOptional(),
      chat: z.string().exactOptional(),
      thread: z.string().exactOptional(),
      said: z.array(z.object({ who: z.string().nullable(), at: z.number(), text: z.string() })),
      more: count,
    }),
  ),
});

const who = { channel: z.string(), user: z.string(), name: z.string() };
const paired: z.ZodType<PairedView> = z.object(who);
const pairing: z.ZodType<PairingView> = z.object({
  requests: z.array(z.object({ ...who, code: z.string(), at: z.number() })),
  admitted: z.array(z.object({ ...who, by: z.string(), at: z.number() })),
});

const window = { starts_at: z.number(), resets_at: z.number(), used: count, limit: count.nullable() };
const usage: z.ZodType<UsageView> = z.object({
  consumers: z.array(
    z.object({
      scope: z.enum(['person', 'chat', 'channel', 'assistant']),
      id: z.string(),
      name: z.string().nullable(),
      day: z.object({
        ...window,
        input_tokens: count,
        output_tokens: count,
        runs: count,
        cost: z.array(z.object({ currency: z.string(), amount: z.number() })),
      }),
      hour: z.object(window),
      now: z.object({ used: count, limit: count }).nullable(),
    }),
  ),
});

/** Longer than it takes to deal with every dead letter. */
const PATIENCE_MS = 60_000;

/** The operator's side of an Antler that runs elsewhere, through its HTTP API. */
export function createRemoteOperator(api: OwnerApi): Operator {
  const ask = (path: string, method: string, body?: object): Promise<Response> =>
    api.ask(`${ROOT}${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const read = async <Shape>(shape: z.ZodType<Shape>, path: string, method = 'GET'): Promise<Shape> => {
    const response = await ask(path, method);
    const body = shape.safeParse(await response.json());
    if (!body.success)
      throw new AntlerError('unavailable', 'The running Antler is of another version than this command.');
    return body.data;
  };
  const act = async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> => {
    await (await ask(path, method, body)).body?.cancel();
  };
  const letter = (id: string): string => `/dead-letters/${encodeURIComponent(id)}`;
  const channel = (name: string): string => `/channels/${encodeURIComponent(name)}`;
  return {
    overview: () => read(overview, ''),
    deadLetters: (limit) => read(letters, `/dead-letters?limit=${limit}`),
    replay: (id) => act('POST', `${letter(id)}/replay`),
    replayAll: () => read(swept, '/dead-letters/replay', 'POST'),
    drop: (id) => act('DELETE', letter(id)),
    dropAll: () => read(swept, '/dead-letters', 'DELETE'),
    pause: (name) => act('POST', `${channel(name)}/pause`),
    resume: (name) => act('POST', `${channel(name)}/resume`),
    pairing: () => read(pairing, '/pairing'),
    approvePairing: (code) => read(paired, `/pairing/${encodeURIComponent(code)}/approve`, 'POST'),
    denyPairing: (code) => read(paired, `/pairing/${encodeURIComponent(code)}/deny`, 'POST'),
    revokePairing: (name, user) =>
      act('DELETE', `/pairing/admitted/${encodeURIComponent(name)}/${encodeURIComponent(user)}`),
    usage: (limit) => read(usage, `/usage?limit=${limit}`),
    enterLoginCode: (name, code) => act('POST', `${channel(name)}/login-code`, { code }),
  };
}
