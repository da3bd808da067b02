import { createHash, randomBytes } from 'node:crypto';
import { AntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { ILINK_FILE_MAX_BYTES } from '../limits.ts';
import { encrypt, encryptedSize, upload } from './cdn.ts';
import { post } from './client.ts';
import { assertOpen, remember, type Sending, sendItem, sendText, type WireItem } from './send.ts';
import { ITEM, uploadShape } from './wire.ts';

/** `media_type` of an upload. */
const UPLOADED_AS = { image: 1, video: 2, file: 3 } as const;
type ShownAs = keyof typeof UPLOADED_AS;

/** Sends a file; its caption goes first, as a message of its own, since a message holds one thing alone. */
export async function sendFile(
  sending: Sending,
  cdnRoot: string,
  target: Target,
  file: OutgoingFile,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  if (file.content.length > ILINK_FILE_MAX_BYTES)
    throw new AntlerError('too_large', 'The file is larger than WeChat takes.');
  await assertOpen(sending, target.chat); // before anything goes up
  if (caption.trim() !== '') {
    await sendText(sending, target, { markdown: caption }, { ...options, key: `${options.key}:caption` });
  }
  const item = await uploaded(sending, cdnRoot, target, file, options.signal);
  const sent = await sendItem(sending, target, item, options.key, options.signal);
  await remember(sending, target.chat, sent.id, `[${shownAs(file)} ${nameOf(file)}]`);
  return sent;
}

/** What WeChat's apps show in the chat itself; anything else is a document. */
function shownAs({ mime }: OutgoingFile): ShownAs {
  if (/^image\/(?:png|jpe?g|gif|bmp)$/.test(mime)) return 'image';
  return mime === 'video/mp4' ? 'video' : 'file';
}

const nameOf = ({ name, kind }: OutgoingFile): string => safeFileName(name, kind);

async function uploaded(
  { session }: Sending,
  cdnRoot: string,
  target: Target,
  file: OutgoingFile,
  signal: AbortSignal | undefined,
): Promise<WireItem> {
  const { content } = file;
  const key = randomBytes(16);
  const fileKey = randomBytes(16).toString('hex');
  const kind = shownAs(file);
  const asked = {
    filekey: fileKey,
    media_type: UPLOADED_AS[kind],
    to_user_id: target.chat,
    rawsize: content.length,
    rawfilemd5: createHash('md5').update(content).digest('hex'),
    filesize: encryptedSize(content.length),
    no_need_thumb: true,
    aeskey: key.toString('hex'),
  };
  const place = await session.use(({ root, token }) =>
    post(root, 'ilink/bot/getuploadurl', asked, uploadShape, { token, signal, idempotent: true }),
  );
  const where = { fileKey, param: place.upload_param, fullUrl: place.upload_full_url };
  const param = await upload(cdnRoot, where, encrypt(content, key), signal);
  // Of all spellings of a key this is the one that Tencent's own client sends: base64 of the hexadecimal digits.
  const media = {
    encrypt_query_param: param,
    aes_key: Buffer.from(key.toString('hex')).toString('base64'),
    encrypt_type: 1,
  };
  switch (kind) {
    case 'image':
      return { type: ITEM.image, image_item: { media, mid_size: encryptedSize(content.length) } };
    case 'video':
      return { type: ITEM.video, video_item: { media, video_size: encryptedSize(content.length) } };
    case 'file':
      return { type: ITEM.file, file_item: { media, file_name: nameOf(file), len: String(content.length) } };
    default:
      return kind satisfies never;
  }
}
