import { z } from 'zod';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { OutgoingFile, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { parse } from '../../../src/format/index.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { reasonOf } from '../errors.ts';
import { LOOK_TIMEOUT_MS, TEXT_MAX_CHARS } from '../limits.ts';
import { inThread } from './in-thread.ts';
import { lookTwice } from './look-twice.ts';
import { renderMrkdwn, renderPlain } from './render.ts';
import { type Sending, sendMessage } from './send.ts';
import { upload } from './upload.ts';

/** Begins the id of a message that is a file: Slack names the file, and the message only once it has thought it over. */
const FILE = 'file/';

/** The file that a message of ours is; undefined for any other message. */
export const fileOf = (id: string): string | undefined => (id.startsWith(FILE) ? id.slice(FILE.length) : undefined);

const ticketShape = z.looseObject({ upload_url: z.url({ protocol: /^https?$/ }), file_id: z.string().min(1) });

/**
 * Sends a file with its caption in one message. Only the last of three calls shows it to anybody, and a file is shown
 * once however often it is completed; so the file's id is kept before, and asked for when a send is begun again.
 * https://docs.slack.dev/messaging/working-with-files#uploading_files
 */
export async function sendFile(
  parts: Sending,
  target: Target,
  file: OutgoingFile,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  const { api, attempts, threads, log } = parts;
  const { key, signal } = options;
  if (file.content.length === 0) throw new AntlerError('unsupported', 'Slack takes no empty files.');
  const earlier = await attempts.noted(key);
  if (earlier !== undefined && earlier !== '' && (await isShown(parts, earlier))) return { id: FILE + earlier };
  const joined = threads.join(target).catch((error: unknown) => {
    log.warn({ err: error }, 'it could not be kept that the bot takes part in a thread');
  });
  const name = safeFileName(file.name, file.kind);
  const comment = await commentOf(parts, target, caption, options);
  const ticket = ticketShape.safeParse(
    await api.call(
      'files.getUploadURLExternal',
      { filename: name, length: file.content.length },
      { signal, idempotent: true, timeoutMs: LOOK_TIMEOUT_MS },
    ),
  );
  if (!ticket.success) throw new AntlerError('unavailable', 'Slack names no place for the file.', { retryable: true });
  const { upload_url: url, file_id: id } = ticket.data;
  await attempts.note(key, id);
  await upload(url, file.content, signal);
  await complete(parts, target, { id, title: name }, comment, options);
  await joined;
  return { id: FILE + id };
}

/** What stands with the file. A caption that is too long for that is said before it. */
async function commentOf(
  parts: Sending,
  target: Target,
  caption: string,
  options: SendOptions,
): Promise<string | undefined> {
  if (caption.trim() === '') return undefined;
  const document = parse(caption.toWellFormed());
  const comment = options.plain === true ? renderPlain(document) : renderMrkdwn(document);
  if (comment.length <= TEXT_MAX_CHARS) return comment;
  const { draft: _, ...final } = options;
  await sendMessage(parts, target, { markdown: caption }, { ...final, key: `${options.key}/caption` });
  return undefined;
}

async function complete(
  parts: Sending,
  target: Target,
  file: { readonly id: string; readonly title: string },
  comment: string | undefined,
  { key, signal }: SendOptions,
): Promise<void> {
  const { api, attempts, clock } = parts;
  const args = { files: [file], ...(comment === undefined ? {} : { initial_comment: comment }) };
  try {
    await inThread(target, ({ chat, topic }) => {
      const place = topic === undefined ? { channel_id: chat } : { channel_id: chat, thread_ts: topic };
      return api.call('files.completeUploadExternal', { ...args, ...place }, { signal });
    });
  } catch (error) {
    if (asAntlerError(error).code !== 'uncertain') {
      await attempts.failed(key).catch(() => {}); // then it is looked up once too often
      throw error;
    }
    const shown = await lookTwice(async () => (await isShown(parts, file.id)) || undefined, clock);
    if (shown === undefined) throw error;
  }
}

/** Files that were never completed do not exist. */
async function isShown({ api }: Sending, id: string): Promise<boolean> {
  try {
    await api.call('files.info', { file: id }, { idempotent: true, timeoutMs: LOOK_TIMEOUT_MS });
    return true;
  } catch (error) {
    if (reasonOf(error) === 'file_not_found') return false;
    const { code, message } = asAntlerError(error);
    // It may be there already, so that it must not be sent: whoever asks has to ask again later.
    throw code === 'forbidden' ? new AntlerError('uncertain', message, { cause: error }) : error;
  }
}

/** Takes a file away, and the message with it. */
export async function deleteFile({ api }: Pick<Sending, 'api'>, id: string): Promise<void> {
  try {
    await api.call('files.delete', { file: id }, { idempotent: true });
  } catch (error) {
    if (!GONE.has(reasonOf(error) ?? '')) throw error;
  }
}

const GONE = new Set(['file_not_found', 'file_deleted']);
