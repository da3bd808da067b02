import { randomUUID } from 'node:crypto';
import type { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { OutgoingFile, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { mediaKind } from '../outbound/media.ts';
import { push, sendMessage } from './send.ts';
import type { Sending } from './sending.ts';
import { upload } from './upload.ts';

/** Which files' captions have been said, by delivery: a second attempt need not say them again. */
export type Captioned = BoundedMap<string, true>;

/** Sends a file, after its caption: WeCom's files carry none. */
export async function sendFile(
  sending: Sending,
  captioned: Captioned,
  target: Target,
  file: OutgoingFile,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  const { key, signal } = options;
  const kind = mediaKind(file);
  const link = await sending.connection.link(signal);
  const mediaId = await upload(link, kind, file, signal);
  if (caption.trim() !== '' && captioned.get(key) === undefined) {
    await sendMessage(sending, target, { markdown: caption }, { ...options, key: `${key}:caption` }, 'beside');
    captioned.set(key, true);
  }
  await push(link, target.chat, { msgtype: kind, [kind]: { media_id: mediaId } });
  return { id: randomUUID() };
}
