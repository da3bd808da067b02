import { z } from 'zod';
import { AntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile } from '../../../src/channel/port.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import type { OpenApi } from '../api.ts';
import { FILE_MAX_BYTES, IMAGE_MAX_BYTES } from '../limits.ts';
import { isOpus, mp4Ms, oggMs } from './duration.ts';

/** A file that lies at the platform and can be sent by its key. */
export interface Uploaded {
  /** The type of message that shows it. */
  readonly type: 'image' | 'audio' | 'media' | 'file';
  readonly key: string;
}

const imageShape = z.object({ data: z.object({ image_key: z.string().min(1) }) });
const fileShape = z.object({ data: z.object({ file_key: z.string().min(1) }) });

/** https://open.feishu.cn/document/server-docs/im-v1/image/create */
const PICTURES = new Set(
  ['jpeg', 'png', 'webp', 'gif', 'bmp', 'x-icon', 'vnd.microsoft.icon', 'tiff', 'heic'].map((name) => `image/${name}`),
);

/**
 * Brings a file to the platform: a picture as a picture, and as any other file where the platform does not take it for
 * one (too large, too many pixels, unreadable); Opus as a voice, MP4 as a video. Under a safe name, whatever it is called.
 *
 * @throws AntlerError `too_large`, `unsupported` for an empty one
 */
export async function upload(api: OpenApi, given: OutgoingFile, signal: AbortSignal | undefined): Promise<Uploaded> {
  const { kind, mime, content } = given;
  const file = { ...given, name: safeFileName(given.name, kind) };
  if (content.byteLength === 0) throw new AntlerError('unsupported', 'Feishu takes no empty files.');
  if (content.byteLength > FILE_MAX_BYTES) {
    throw new AntlerError('too_large', `Feishu takes files of at most ${FILE_MAX_BYTES} bytes.`);
  }
  if (kind === 'image' && PICTURES.has(mime) && content.byteLength <= IMAGE_MAX_BYTES) {
    try {
      return await uploadPicture(api, file, signal);
    } catch (error) {
      const isNoPicture = error instanceof AntlerError && NO_PICTURE.has(error.code);
      if (!isNoPicture) throw error;
    }
  }
  return uploadFile(api, file, signal);
}

const NO_PICTURE: ReadonlySet<string> = new Set(['unsupported', 'too_large', 'bad_input']);

async function uploadPicture(api: OpenApi, file: OutgoingFile, signal: AbortSignal | undefined): Promise<Uploaded> {
  const form = new FormData();
  form.set('image_type', 'message');
  form.set('image', blobOf(file), file.name);
  return { type: 'image', key: imageShape.parse(await api.upload('/im/v1/images', form, signal)).data.image_key };
}

async function uploadFile(api: OpenApi, file: OutgoingFile, signal: AbortSignal | undefined): Promise<Uploaded> {
  const { fileType, type, durationMs } = formOf(file);
  const form = new FormData();
  form.set('file_type', fileType);
  form.set('file_name', file.name);
  if (durationMs !== undefined) form.set('duration', String(durationMs));
  form.set('file', blobOf(file), file.name);
  return { type, key: fileShape.parse(await api.upload('/im/v1/files', form, signal)).data.file_key };
}

const blobOf = ({ content, mime }: OutgoingFile): Blob => new Blob([new Uint8Array(content)], { type: mime });

interface Form {
  readonly fileType: string;
  readonly type: Uploaded['type'];
  readonly durationMs?: number | undefined;
}

/** https://open.feishu.cn/document/server-docs/im-v1/file/create */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['pdf', 'pdf'],
  ['doc', 'doc'],
  ['docx', 'doc'],
  ['xls', 'xls'],
  ['xlsx', 'xls'],
  ['csv', 'xls'],
  ['ppt', 'ppt'],
  ['pptx', 'ppt'],
]);

/** What the platform calls a file; a voice or video of another make would not play, so it is a document. */
export function formOf({ name, mime, content }: OutgoingFile): Form {
  if (isOpus(content)) return { fileType: 'opus', type: 'audio', durationMs: oggMs(content) };
  if (mime === 'video/mp4') return { fileType: 'mp4', type: 'media', durationMs: mp4Ms(content) };
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return { fileType: DOCUMENTS.get(extension) ?? 'stream', type: 'file' };
}
