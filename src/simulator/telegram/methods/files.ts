import { ApiError, badRequest } from '../api-error.ts';
import type { Media } from '../chat.ts';
import type { StoredFile } from '../files.ts';
import { mediaFields } from '../media.ts';
import { messageToWire } from '../message-wire.ts';
import { isRecord } from '../params.ts';
import { checkPhoto } from '../photo.ts';
import { contentOf, keyboardOf, replyOf, topicOf } from './compose.ts';
import { type Call, type Method, writableChatOf } from './context.ts';

const getFile: Method = ({ world, params }) => {
  const file = world.files.get(params.text('file_id'));
  if (file.size > world.limits.maxDownloadBytes) throw badRequest('file is too big');
  return { file_id: file.id, file_unique_id: file.uniqueId, file_size: file.size, file_path: file.path };
};

/** The file that a call sends under `field`: uploaded, attached under another name, or known by its id. */
function sentFile({ world, params }: Call, field: string, kind: Media['kind'], value = params.text(field)): StoredFile {
  const upload = value.startsWith('attach://')
    ? params.uploads.get(value.slice('attach://'.length))
    : params.uploads.get(field);
  if (upload === undefined) {
    if (value === '') throw badRequest(`there is no ${kind} in the request`);
    return world.files.get(value);
  }
  if (upload.bytes.length === 0) throw badRequest('file must be non-empty');
  const most = kind === 'photo' ? world.limits.maxUploadPhotoBytes : world.limits.maxUploadBytes;
  if (upload.bytes.length > most) throw new ApiError(413, 'Request Entity Too Large');
  if (kind === 'photo') checkPhoto(upload.bytes);
  return world.files.add({ ...upload, folder: `${kind}s` });
}

const sender =
  (kind: Media['kind']): Method =>
  (call) => {
    const { world, bot, flood } = call;
    const chat = writableChatOf(call);
    const content = contentOf(call, 'caption');
    if (content.text.length > world.limits.maxCaptionUtf16) throw badRequest('message caption is too long');
    const keyboard = keyboardOf(call);
    const topic = topicOf(call, chat);
    const reply = replyOf(call, chat);
    const file = sentFile(call, kind, kind);
    flood?.count(chat);
    const message = world.post({
      chat,
      from: bot.user,
      content,
      media: { kind, fields: mediaFields(kind, file) },
      ...reply,
      ...(topic === undefined ? {} : { topic }),
      ...(keyboard === undefined ? {} : { keyboard }),
    });
    return messageToWire(message);
  };

const sendMediaGroup: Method = (call) => {
  const { world, bot, params, flood } = call;
  const chat = writableChatOf(call);
  const list = params.json('media');
  const items = (Array.isArray(list) ? list : []).filter(isRecord);
  if (items.length < 2 || items.length > 10) throw badRequest('group send failed: an album holds 2 to 10 items');
  const topic = topicOf(call, chat);
  const reply = replyOf(call, chat);
  const group = `${bot.user.id}${world.nextAlbum()}`;
  return items.map((item) => {
    const kind = item.type === 'photo' || item.type === 'video' || item.type === 'audio' ? item.type : 'document';
    const file = sentFile(call, 'media', kind, String(item.media ?? ''));
    // Each item of an album counts as a message.
    flood?.count(chat);
    const message = world.post({
      chat,
      from: bot.user,
      content: { text: String(item.caption ?? ''), entities: [] },
      media: { kind, fields: mediaFields(kind, file), group },
      ...reply,
      ...(topic === undefined ? {} : { topic }),
    });
    return messageToWire(message);
  });
};

export const fileMethods: Readonly<Record<string, Method>> = {
  getFile,
  sendPhoto: sender('photo'),
  sendDocument: sender('document'),
  sendVoice: sender('voice'),
  sendAudio: sender('audio'),
  sendVideo: sender('video'),
  sendVideoNote: sender('video_note'),
  sendAnimation: sender('animation'),
  sendSticker: sender('sticker'),
  sendMediaGroup,
};
