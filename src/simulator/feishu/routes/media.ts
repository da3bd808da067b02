import { createHash } from 'node:crypto';
import { ApiError } from '../api-error.ts';
import type { Message } from '../model.ts';
import type { Route } from './context.ts';

/** How pictures of the kinds that the platform takes begin. */
const PICTURES = ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF', 'BM', '\0\0\x01\0', 'II*\0', 'MM\0*'];

export const uploadImage: Route = ({ world, uploads, body }) => {
  const { limits } = world;
  const image = uploads.get('image');
  if (image === undefined || image.bytes.length === 0 || body.image_type !== 'message')
    throw new ApiError(234001, 'Invalid request param.');
  if (image.bytes.length > limits.maxImageBytes) throw new ApiError(234006, 'The file size exceed the max value.');
  const head = Buffer.from(image.bytes.subarray(0, 16)).toString('latin1');
  if (!PICTURES.some((picture) => head.startsWith(picture)))
    throw new ApiError(234011, "Can't recognize the image format.");
  const key = world.id('img_v3');
  world.files.set(key, { key, kind: 'image', name: image.name, bytes: image.bytes });
  return { data: { image_key: key } };
};

const FILE_TYPES = new Set(['opus', 'mp4', 'pdf', 'doc', 'xls', 'ppt', 'stream']);

export const uploadFile: Route = ({ world, uploads, body }) => {
  const { limits } = world;
  const file = uploads.get('file');
  const type = String(body.file_type);
  if (file === undefined || !FILE_TYPES.has(type) || String(body.file_name ?? '') === '')
    throw new ApiError(234001, 'Invalid request param.');
  if (file.bytes.length === 0) throw new ApiError(234010, 'File size can not be 0.');
  if (file.bytes.length > limits.maxFileBytes) throw new ApiError(234006, 'The file size exceed the max value.');
  const key = world.id('file_v3');
  world.files.set(key, { key, kind: 'file', name: String(body.file_name), bytes: file.bytes, type });
  return { data: { file_key: key } };
};

/**
 * The bytes of a file in a message. Stickers and what is in cards cannot be had; what is inside a forward can, but only
 * by the forward's own id.
 */
export const getResource: Route = ({ world, app, ids, query }) => {
  const message = world.message(ids[0] ?? '');
  const file = world.files.get(ids[1] ?? '');
  if (message === undefined || file === undefined) throw new ApiError(234003, 'File not in msg.');
  if (!message.chat.apps.includes(app)) throw new ApiError(234009, 'The bot is not in the chat.');
  if (message.recalledAt !== undefined) throw new ApiError(230110, 'The message has been deleted.');
  if (message.type === 'sticker' || message.type === 'interactive')
    throw new ApiError(234043, 'Unsupported message type.');
  if (!carries(message, file.key)) throw new ApiError(234003, 'File not in msg.');
  if (query.get('type') !== file.kind) throw new ApiError(234001, 'Invalid request param.');
  if (file.bytes.length > world.limits.maxResourceBytes)
    throw new ApiError(234037, 'The file size exceed the max value.');
  const plain = file.name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return {
    bytes: file.bytes,
    headers: {
      'content-type': file.mime ?? 'application/octet-stream',
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'x-file-etag': createHash('sha256').update(file.bytes).digest('hex').slice(0, 16),
    },
  };
};

const carries = ({ content, children = [] }: Message, key: string): boolean =>
  content.includes(key) || children.some((child) => carries(child, key));
