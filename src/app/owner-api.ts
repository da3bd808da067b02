import { z } from 'zod';
import { AntlerError, type ErrorCode } from '../base/errors.ts';
import type { Config } from '../config/schema/config.ts';

/** The HTTP API of a running Antler, asked as its owner. */
export interface OwnerApi {
  /** Rejects with what the server says when it refuses. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Where an Antler of this configuration answers when it runs on this machine. */
export function addressOf({
  server: { host, port },
}: {
  readonly server: Pick<Config['server'], 'host' | 'port'>;
}): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Is an Antler answering there? */
export async function answersAt(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2_000) });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && Reflect.get(body, 'name') === 'antler';
  } catch {
    return false;
  }
}

/** `token` is the owner's, where the server asks for it. */
export function ownerApi(url: string, token: string | undefined): OwnerApi {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  return {
    ask: async (path, init = {}) => {
      const response = await fetch(new URL(path, url), { ...init, headers }).catch((cause: unknown) => {
        throw new AntlerError('unavailable', `The Antler at ${url} does not answer.`, { cause });
      });
      if (!response.ok) throw await errorOf(response);
      return response;
    },
  };
}

async function errorOf(response: Response): Promise<AntlerError> {
  if (response.status === 401)
    return new AntlerError('unauthorized', "This server asks for the owner's token; set ANTLER_OWNER_TOKEN.");
  const said = failure.safeParse(await response.json().catch(() => null));
  const message = said.success ? said.data.error.message : `The server answered with ${response.status}.`;
  return new AntlerError(codeOf.get(response.status) ?? 'unavailable', message);
}

const codeOf: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'bad_input'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [429, 'rate_limited'],
]);
