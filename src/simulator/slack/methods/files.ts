import { ApiError } from '../api-error.ts';
import type { StoredFile } from '../model.ts';
import { fileToWire } from '../wire.ts';
import { type Call, type Method, threadOf, writableChannelOf } from './context.ts';

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
const getUploadUrl = ({ world, app, params }: Call) => {
  const name = params.required('filename');
  const length = params.number('length', 0);
  if (length <= 0) throw new ApiError('invalid_arguments');
  const id = world.newId('F');
  world.uploads.set(id, { name, length, app, bytes: undefined });
  return { upload_url: `${world.root}/upload/${id}`, file_id: id };
};

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal */
const completeUpload = (call: Call) => {
  const { world, app, params } = call;
  const wanted = params.list('files', 'invalid_arguments') ?? [];
  const files = wanted.map(({ id }): StoredFile => {
    const upload = world.uploads.get(String(id));
    if (upload?.bytes === undefined || upload.app !== app) throw new ApiError('file_not_found');
    const extension = upload.name.split('.').at(-1) ?? '';
    return {
      id: String(id),
      name: upload.name,
      mimetype: 'application/octet-stream',
      filetype: extension,
      bytes: upload.bytes,
      user: app.user.id,
    };
  });
  for (const file of files) {
    world.uploads.delete(file.id);
    world.files.push(file);
  }
  if (params.string('channel_id') !== undefined) {
    const channel = writableChannelOf(call, 'channel_id');
    const threadTs = threadOf(call, channel);
    const text = params.string('initial_comment') ?? '';
    world.post({ channel, user: app.user, app, text, files, ...(threadTs === undefined ? {} : { threadTs }) });
  }
  return { files: files.map((file) => fileToWire(file, world.root)) };
};

/** https://docs.slack.dev/reference/methods/files.info */
const info = ({ world, app, params, rates }: Call) => {
  rates.count(app, 'files.info', 4);
  const file = world.files.find(({ id }) => id === params.string('file'));
  if (file === undefined) throw new ApiError('file_not_found');
  const { file_access: _, ...wire } = fileToWire(file, world.root);
  return { file: wire };
};

export const fileMethods: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': { scopes: ['files:write'], run: getUploadUrl },
  'files.completeUploadExternal': { scopes: ['files:write'], run: completeUpload },
  'files.info': { scopes: ['files:read'], run: info },
};
