import type { Readable } from 'node:stream';
import { fileNameIn } from '../../src/base/disposition.ts';
import { collectBytes } from '../../src/base/http.ts';
import type { FetchedFile } from '../../src/channel/port.ts';
import { feishuError, NO_JSON } from './errors.ts';
import { parseObject } from './normalize/json.ts';

/** An answer whose body is still coming in. */
export interface Streamed {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: Readable;
}

/** A refusal is short. */
const REFUSAL_MAX_BYTES = 64 * 1024;

/**
 * Reads the bytes of a file, which end the connection as soon as there are more than `maxBytes`. Refusals and the pages
 * of proxies come in the place of the file, also with HTTP 200; what has a file's name is a file, even if it is JSON.
 */
export async function readDownload({ status, headers, data }: Streamed, maxBytes: number): Promise<FetchedFile> {
  const name = fileNameIn(text(headers['content-disposition']));
  const mime = text(headers['content-type'])?.split(';')[0]?.trim();
  try {
    if (status !== 200) throw refused(status, headers, await collectBytes(data, REFUSAL_MAX_BYTES));
    if (name === undefined && mime === 'text/html') throw feishuError({ code: NO_JSON }, { idempotent: true });
    const content = await collectBytes(data, maxBytes);
    const isRefusal = name === undefined && mime === 'application/json' && hasCode(content);
    if (isRefusal) throw refused(status, headers, content);
    return {
      content,
      ...(name === undefined ? {} : { name }),
      ...(mime === undefined || mime === 'application/octet-stream' ? {} : { mime }),
    };
  } finally {
    data.destroy();
  }
}

const text = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

function hasCode(content: Buffer): boolean {
  const body = content.length <= REFUSAL_MAX_BYTES ? parseObject(content.toString('utf8')) : undefined;
  return typeof body?.code === 'number' && body.code !== 0 && typeof body.msg === 'string';
}

const refused = (status: number, headers: Streamed['headers'], body: Buffer) =>
  feishuError({ response: { status, headers, data: parseObject(body.toString('utf8')) } }, { idempotent: true });
