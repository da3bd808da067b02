import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile } from '../../../src/channel/port.ts';
import { UPLOAD_CHUNK_BYTES, UPLOAD_PARALLEL } from '../limits.ts';
import { type MediaKind, mediaName } from '../outbound/media.ts';
import type { Link } from './session.ts';

const begunShape = z.looseObject({ upload_id: z.string().min(1) });
const doneShape = z.looseObject({ media_id: z.string().min(1) });

/**
 * Brings a file to WeCom in three steps; nobody sees it before a message does, so it may be repeated.
 * @returns the id by which messages refer to it, for three days
 */
export async function upload(link: Link, kind: MediaKind, file: OutgoingFile, signal?: AbortSignal): Promise<string> {
  const { content } = file;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const chunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES);
  const call = (step: string, body: object): Promise<unknown> => {
    if (signal?.aborted) throw new AntlerError('cancelled', 'The upload was cancelled.');
    return link.call(`aibot_upload_media_${step}`, body, { idempotent: true });
  };
  const md5 = createHash('md5').update(bytes).digest('hex');
  const begun = begunShape.safeParse(
    await call('init', { type: kind, filename: mediaName(file), total_size: bytes.length, total_chunks: chunks, md5 }),
  );
  if (!begun.success)
    throw new AntlerError('unavailable', 'WeCom does not say where the file goes.', { retryable: true });
  const { upload_id } = begun.data;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < chunks) {
      const index = next++; // from 0, whatever the SDK's types say
      const chunk = bytes.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES);
      await call('chunk', { upload_id, chunk_index: index, base64_data: chunk.toString('base64') });
    }
  };
  await Promise.all(Array.from({ length: Math.min(UPLOAD_PARALLEL, chunks) }, work));
  const done = doneShape.safeParse(await call('finish', { upload_id }));
  if (!done.success) throw new AntlerError('unavailable', 'WeCom did not keep the file.', { retryable: true });
  return done.data.media_id;
}
