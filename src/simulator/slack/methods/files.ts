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
  const channel = params.string('channel_id') === undefined ? undefined : writableChannelOf(call, 'channel_id');
  const threadTs = channel === undefined ? undefined : threadOf(call, channel);
  for (const file of files) {
    world.uploads.delete(file.id);
    world.files.push(file);
  }
  if (channel !== undefined) {
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
  const { file_access: access, ...wire } = fileToWire(file, world.root);
  return { file: access === 'check_file_info' ? wire : fileToWire(file, world.root) };
};

/** https://docs.slack.dev/reference/methods/files.delete: the message goes with the last of its files. */
const remove = ({ world, app, params, rates }: Call) => {
  rates.count(app, 'files.delete', 3);
  const index = world.files.findIndex(({ id }) => id === params.string('file'));
  const [file] = index === -1 ? [] : world.files.splice(index, 1);
  if (file === undefined) throw new ApiError('file_not_found');
  if (file.user !== app.user.id) throw new ApiError('cant_delete_file');
  for (const message of world.channels.flatMap(({ messages }) => messages)) {
    if (message.deletedAt === undefined && message.files.includes(file)) world.remove(message);
  }
  return {};
};

export const fileMethods: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': { scopes: ['files:write'], run: getUploadUrl },
  'files.completeUploadExternal': { scopes: ['files:write'], run: completeUpload },
  'files.delete': { scopes: ['files:write'], run: remove },
  'files.info': { scopes: ['files:read'], run: info },
};
