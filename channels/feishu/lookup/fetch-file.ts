import { AntlerError } from '../../../src/base/errors.ts';
import type { InboundFile } from '../../../src/channel/message.ts';
import type { FetchedFile, FetchOptions } from '../../../src/channel/port.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import type { OpenApi } from '../api.ts';
import { RESOURCE_MAX_BYTES } from '../limits.ts';
import { parseResourceId } from '../resource.ts';

/** Fetches what came with a message. https://open.feishu.cn/document/server-docs/im-v1/message/get-2 */
export async function fetchFile(
  api: OpenApi,
  { id, bytes = 0 }: InboundFile,
  { maxBytes, signal }: FetchOptions,
): Promise<FetchedFile> {
  const { messageId, type, key } = parseResourceId(id);
  if (bytes > Math.min(maxBytes, RESOURCE_MAX_BYTES)) throw new AntlerError('too_large', 'The file is too large.');
  const path = `/im/v1/messages/${encodeURIComponent(messageId)}/resources/${encodeURIComponent(key)}`;
  try {
    const fetched = await api.download(path, { type }, { maxBytes, signal });
    return { ...fetched, ...(fetched.name === undefined ? {} : { name: safeFileName(fetched.name, 'file') }) };
  } catch (error) {
    const isGone = error instanceof AntlerError && error.code === 'target_gone';
    throw isGone ? new AntlerError('not_found', error.message, { cause: error }) : error;
  }
}
