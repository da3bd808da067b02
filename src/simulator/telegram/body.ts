import type { IncomingMessage } from 'node:http';
import { parseMultipart } from '../kit/multipart.ts';
import { badRequest } from './api-error.ts';
import { isRecord, Params, type ParamValue } from './params.ts';

/** The whole body, joined before it is decoded, so that no character is cut by a packet's end. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
}

/** Reads the parameters of a call from its query and its JSON, form or multipart body. */
export function readParams(body: Buffer, contentType: string, query: URLSearchParams): Params {
  const values: Record<string, ParamValue> = Object.fromEntries(query);
  if (body.length === 0) return new Params(values);
  if (contentType.startsWith('application/json')) return new Params({ ...values, ...parseJson(body) });
  if (contentType.startsWith('multipart/form-data')) {
    const multipart = parseMultipart(body, contentType);
    if (multipart === undefined) throw badRequest('wrong multipart body');
    return new Params({ ...values, ...multipart.fields }, multipart.uploads);
  }
  return new Params({ ...values, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) });
}

function parseJson(body: Buffer): Record<string, ParamValue> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isRecord(parsed)) return parsed as Record<string, ParamValue>;
  } catch {
    // Falls through to the one answer for both kinds of nonsense.
  }
  throw badRequest("can't parse JSON object");
}
