import { AntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { CAPTION_MAX_UTF16, ENTITIES_MAX, FILE_UPLOAD_MAX_BYTES, UPLOAD_TIMEOUT_MS } from '../limits.ts';
import { asDocument, type MediaMethod, methodFor } from './media.ts';
import { post, type Sending } from './post.ts';
import { captionOf, rendered, sendMessage } from './send.ts';
import { splitDocument } from './split.ts';

/** Sends a file with its caption; a caption too long for one stands before the file as a message of its own. */
export async function sendFile(
  sending: Sending,
  target: Target,
  file: OutgoingFile,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  if (file.content.byteLength > FILE_UPLOAD_MAX_BYTES) {
    throw new AntlerError('too_large', `Bots can send files of up to ${FILE_UPLOAD_MAX_BYTES} bytes.`);
  }
  const shown = rendered(caption, options);
  const fits = shown.text.length <= CAPTION_MAX_UTF16 && shown.entities.length <= ENTITIES_MAX;
  if (!fits) await sayBefore(sending, target, caption, options);

  const send = ({ method, field, extra }: MediaMethod): Promise<SentMessage> =>
    post(
      sending,
      target,
      method,
      { ...extra, ...(fits && shown.text.trim() !== '' ? captionOf(shown) : {}) },
      {
        signal: options.signal,
        timeoutMs: UPLOAD_TIMEOUT_MS,
        upload: { field, name: file.name, content: file.content },
      },
    );
  const media = methodFor({ ...file, bytes: file.content.byteLength });
  try {
    return await send(media);
  } catch (error) {
    // A picture out of proportion, a video in a strange codec, a person who takes no voice messages.
    const isRefused = error instanceof AntlerError && error.code === 'unsupported' && media !== asDocument;
    if (!isRefused) throw error;
    return send(asDocument);
  }
}

/**
 * What of a caption has been said is kept under the delivery's key, so that a file which has to be sent again does not
 * say it again. Deliveries to a chat come one after the other, so one note a chat is enough.
 */
async function sayBefore(sending: Sending, target: Target, caption: string, options: SendOptions): Promise<void> {
  const { state } = sending;
  const note = `caption:${target.chat}`;
  const [key, said] = parseNote(await state.get(note));
  const parts = splitDocument({ markdown: caption });
  for (let part = key === options.key ? said : 0; part < parts.length; part++) {
    await sendMessage(sending, target, parts[part] ?? { markdown: caption }, options);
    await state.set(note, JSON.stringify([options.key, part + 1]));
  }
}

function parseNote(note: string | null): [key: string, said: number] {
  const [key, said] = note === null ? [] : (JSON.parse(note) as [string?, number?]);
  return [key ?? '', said ?? 0];
}
