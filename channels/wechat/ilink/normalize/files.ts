import type { InboundFile } from '../../../../src/channel/message.ts';
import { safeFileName } from '../../../../src/format/safe-name.ts';
import { type FileSource, writeFileId } from '../file-id.ts';
import type { Media, QuotedItem } from '../wire.ts';

/** A key in hexadecimal from whichever spelling: base64 of its 16 bytes, or base64 of its 32 hexadecimal digits. */
export function keyOf(spelt: string | undefined): string | undefined {
  if (spelt === undefined) return undefined;
  const bytes = Buffer.from(spelt, 'base64');
  if (bytes.length === 16) return bytes.toString('hex');
  const digits = bytes.toString('latin1').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

const HEX_KEY = /^[0-9a-f]{32}$/i;

/** Undefined where there is nothing to fetch, or where its key makes no sense. */
function sourceOf(media: Media | undefined, hexKey?: string): FileSource | undefined {
  const { full_url: url, encrypt_query_param: param, aes_key: spelt } = media ?? {};
  if (!url && !param) return undefined;
  const key = hexKey !== undefined && HEX_KEY.test(hexKey) ? hexKey.toLowerCase() : keyOf(spelt || undefined);
  if (key === undefined && spelt) return undefined;
  return { ...(url ? { url } : {}), ...(param ? { param } : {}), ...(key === undefined ? {} : { key }) };
}

/** https://www.npmjs.com/package/@tencent-weixin/openclaw-weixin, `VoiceItem.encode_type`. */
const VOICE = new Map([
  [5, { extension: 'amr', mime: 'audio/amr' }],
  [6, { extension: 'silk', mime: 'audio/silk' }],
  [7, { extension: 'mp3', mime: 'audio/mpeg' }],
  [8, { extension: 'ogg', mime: 'audio/ogg' }],
]);

/** The file that an item carries; `id` is the message's, for a name where it has none. */
export function fileOf(item: QuotedItem, id: string): InboundFile | undefined {
  const { image_item: image, voice_item: voice, file_item: file, video_item: video } = item;
  if (image !== undefined) {
    // WeChat gives pictures two keys, and the one in hexadecimal is right when they differ.
    return described('image', sourceOf(image.media, image.aeskey), `image-${id}.jpg`);
  }
  if (voice !== undefined) {
    const { extension, mime } = VOICE.get(voice.encode_type ?? 0) ?? { extension: 'bin', mime: undefined };
    return described('voice', sourceOf(voice.media), `voice-${id}.${extension}`, { mime });
  }
  if (file !== undefined) {
    const name = safeFileName(file.file_name ?? '', `file-${id}.bin`);
    return described('file', sourceOf(file.media), name, { bytes: sizeOf(file.len) });
  }
  if (video !== undefined) return described('video', sourceOf(video.media), `video-${id}.mp4`, { mime: 'video/mp4' });
  return undefined;
}

function described(
  kind: InboundFile['kind'],
  source: FileSource | undefined,
  name: string,
  { mime, bytes }: { readonly mime?: string | undefined; readonly bytes?: number | undefined } = {},
): InboundFile | undefined {
  if (source === undefined) return undefined;
  return {
    id: writeFileId(source),
    kind,
    name,
    ...(mime === undefined ? {} : { mime }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

const sizeOf = (bytes: number | undefined): number | undefined =>
  bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
