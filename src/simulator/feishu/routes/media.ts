import { ApiError } from '../api-error.ts';
import type { Route } from './context.ts';

export const uploadImage: Route = ({ world, uploads }) => {
  const { limits } = world;
  const image = uploads.get('image');
  if (image === undefined || image.bytes.length === 0) throw new ApiError(234001, 'Invalid request param.');
  if (image.bytes.length > limits.maxImageBytes) throw new ApiError(234006, 'The file size exceed the max value.');
  const key = world.id('img_v3');
  world.files.set(key, { key, kind: 'image', name: image.name, bytes: image.bytes });
  return { data: { image_key: key } };
};

export const uploadFile: Route = ({ world, uploads, body }) => {
  const { limits } = world;
  const file = uploads.get('file');
  if (file === undefined) throw new ApiError(234001, 'Invalid request param.');
  if (file.bytes.length === 0) throw new ApiError(234010, 'File size can not be 0.');
  if (file.bytes.length > limits.maxFileBytes) throw new ApiError(234006, 'The file size exceed the max value.');
  const key = world.id('file_v3');
  world.files.set(key, { key, kind: 'file', name: String(body.file_name ?? file.name), bytes: file.bytes });
  return { data: { file_key: key } };
};

/** The bytes of a file in a message; stickers and what is inside forwards cannot be had. */
export const getResource: Route = ({ world, app, ids, query }) => {
  const message = world.message(ids[0] ?? '');
  const file = world.files.get(ids[1] ?? '');
  if (message === undefined || file === undefined) throw new ApiError(234003, 'File not in msg.');
  if (!message.chat.apps.includes(app)) throw new ApiError(234009, 'The bot is not in the chat.');
  if (message.type === 'sticker' || message.type === 'interactive')
    throw new ApiError(234043, 'Unsupported message type.');
  if (!message.content.includes(file.key)) throw new ApiError(234003, 'File not in msg.');
  if (query.get('type') !== file.kind) throw new ApiError(234001, 'Invalid request param.');
  return { bytes: file.bytes };
};
