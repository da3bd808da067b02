import { z } from 'zod';
import { AntlerError } from '../../src/base/errors.ts';
import type { InboundFile } from '../../src/channel/message.ts';
import type { FetchedFile, FetchOptions } from '../../src/channel/port.ts';
import type { BotApi } from './api.ts';
import { PREPARE_TIMEOUT_MS } from './limits.ts';

const preparedShape = z.looseObject({ file_path: z.string().min(1), file_size: z.int().optional().catch(undefined) });

/** Fetches a file by the id that came with its message; the id is valid for good, the path that it leads to for an hour. */
export async function fetchFile(
  api: BotApi,
  { id }: Pick<InboundFile, 'id'>,
  { maxBytes, signal }: FetchOptions,
): Promise<FetchedFile> {
  const options = { signal, idempotent: true, timeoutMs: PREPARE_TIMEOUT_MS };
  const prepared = preparedShape.safeParse(await api.call('getFile', { file_id: id }, options));
  if (!prepared.success) throw new AntlerError('not_found', 'Telegram does not say where the file is.');
  const { file_path: path, file_size: bytes = 0 } = prepared.data;
  if (bytes > maxBytes) throw new AntlerError('too_large', `The file is larger than ${maxBytes} bytes.`);
  return { content: await api.download(path, { maxBytes, signal }) };
}
