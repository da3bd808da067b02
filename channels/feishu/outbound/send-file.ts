import type { OutgoingFile, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { parse } from '../../../src/format/index.ts';
import { CARD_MAX_BYTES } from '../limits.ts';
import { type Content, contentOf } from './content.ts';
import { renderPost } from './render-post.ts';
import { type Sending, sendContent } from './send.ts';
import { withoutStrangers } from './strangers.ts';
import { type Uploaded, upload } from './upload.ts';

/**
 * Sends a file. A picture and its caption are one rich text; before any other file the caption is a message of its own,
 * since the platform knows no captions.
 */
export async function sendFile(
  sending: Sending,
  target: Target,
  file: OutgoingFile,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  const uploaded = await upload(sending.api, file, options.signal);
  if (caption.trim() === '') return sendContent(sending, target, fileContent(uploaded), options);
  return withoutStrangers(caption, sending.names, (words) =>
    sendWithCaption(sending, target, uploaded, words, options),
  );
}

async function sendWithCaption(
  sending: Sending,
  target: Target,
  uploaded: Uploaded,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  const together = uploaded.type === 'image' && options.plain !== true ? pictureContent(uploaded.key, caption) : null;
  if (together !== null) return sendContent(sending, target, together, options);
  const before = contentOf({ markdown: caption }, target, options);
  await sendContent(sending, target, before, { ...options, key: `${options.key}/caption` });
  const { replyTo: _answered, ...rest } = target;
  return sendContent(sending, rest, fileContent(uploaded), options);
}

const fileContent = ({ type, key }: Uploaded): Content => ({
  msg_type: type,
  content: JSON.stringify(type === 'image' ? { image_key: key } : { file_key: key }),
});

/** Null when the caption is too long for a rich text. */
function pictureContent(key: string, caption: string): Content | null {
  const rows = [[{ tag: 'img', image_key: key }], ...renderPost(parse(caption))];
  const content = JSON.stringify({ zh_cn: { content: rows } });
  return Buffer.byteLength(JSON.stringify(content)) <= CARD_MAX_BYTES ? { msg_type: 'post', content } : null;
}
