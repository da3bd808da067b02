import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BoundedMap } from '../../../src/base/bounded-map.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import { keptJson } from '../../../src/base/kept-json.ts';
import type {
  ChannelState,
  Document,
  OutgoingFile,
  SendOptions,
  SentMessage,
  Target,
} from '../../../src/channel/port.ts';
import { REPEATS_KNOWN_MAX_SECONDS, REPEATS_KNOWN_MIN_SECONDS } from '../limits.ts';
import { type Card, canBeCard, cardWithText } from '../outbound/card.ts';
import { mediaKind, mediaName } from '../outbound/media.ts';
import { textWithChoices } from '../outbound/text.ts';
import type { AppApi } from './api.ts';

/** What everything that sends needs. */
export interface Sending {
  readonly api: AppApi;
  readonly agentId: string;
  readonly format: 'markdown' | 'text';
  readonly state: ChannelState;
  /** Cards whose buttons may still be pressed, by their task, as far as this process has sent them. */
  readonly cards: BoundedMap<string, Card>;
}

/** Sends a message to one member. */
export async function sendMessage(
  sending: Sending,
  target: Target,
  document: Document,
  { key, plain, signal }: SendOptions,
): Promise<SentMessage> {
  const isPlain = plain === true || sending.format === 'text';
  const card = plain !== true && canBeCard(document) ? await cardWithText(document, key, sending.state) : undefined;
  if (card !== undefined) {
    const sent = await post(sending, target, { msgtype: 'template_card', template_card: card }, key, signal);
    sending.cards.set(card.task_id, card);
    return sent;
  }
  const content = textWithChoices(document, isPlain ? 'plain' : 'app');
  const body = isPlain ? { msgtype: 'text', text: { content } } : { msgtype: 'markdown', markdown: { content } };
  return post(sending, target, body, key, signal);
}

const uploadedShape = z.looseObject({ media_id: z.string().min(1) });

/** Sends a file, after its caption: WeCom's files carry none. Both are known again, so that a second attempt repeats neither. */
export async function sendFile(
  sending: Sending,
  target: Target,
  file: OutgoingFile,
  caption: string,
  options: SendOptions,
): Promise<SentMessage> {
  const { key, signal } = options;
  const kind = mediaKind(file);
  const form = (): FormData => {
    const data = new FormData();
    data.set('media', new Blob([new Uint8Array(file.content)], { type: file.mime }), mediaName(file));
    return data;
  };
  const uploaded = uploadedShape.safeParse(await sending.api.upload(kind, form, signal));
  if (!uploaded.success) throw new AntlerError('unavailable', 'WeCom did not keep the file.', { retryable: true });
  if (caption.trim() !== '')
    await sendMessage(sending, target, { markdown: caption }, { ...options, key: `${key}:caption` });
  // A file that is uploaded again has another id, by which a repetition would not be known.
  const mediaId = await firstId(sending.state, key, uploaded.data.media_id);
  return post(sending, target, { msgtype: kind, [kind]: { media_id: mediaId } }, key, signal);
}

/** Of one channel: which upload each of the newest deliveries has used. */
const UPLOADS_MAX = 20;
const uploadsShape = z.array(z.tuple([z.string(), z.string()]));

async function firstId(state: ChannelState, key: string, mediaId: string): Promise<string> {
  const uploads = keptJson(await state.get('uploads'), uploadsShape) ?? [];
  const known = uploads.find(([delivery]) => delivery === key)?.[1];
  if (known !== undefined) return known;
  await state.set('uploads', JSON.stringify([...uploads, [key, mediaId]].slice(-UPLOADS_MAX)));
  return mediaId;
}

const people = z
  .string()
  .catch('')
  .transform((ids) => ids.toLowerCase().split('|'));
const sentShape = z.looseObject({ msgid: z.string().catch(''), invaliduser: people, unlicenseduser: people });

async function post(
  { api, agentId }: Sending,
  { chat }: Target,
  message: object,
  key: string,
  signal: AbortSignal | undefined,
): Promise<SentMessage> {
  const body = {
    touser: chat,
    agentid: Number(agentId),
    ...message,
    enable_duplicate_check: 1,
    duplicate_check_interval: checkedFor(key),
  };
  const { data: sent } = sentShape.safeParse(await api.call('message/send', { body, signal }));
  // Who does not get it is told of beside a success.
  const member = chat.toLowerCase();
  if (sent?.invaliduser.includes(member))
    throw new AntlerError('target_gone', 'The member has left, or is outside of the app’s visibility.');
  if (sent?.unlicenseduser.includes(member))
    throw new AntlerError('forbidden', 'The member has no license for apps; an admin of the company assigns them.');
  return { id: sent?.msgid ?? '' };
}

/**
 * WeCom knows a message again when the whole request is the same, and then does not send it. Two answers that happen to
 * say the same are two, so each delivery asks for a time of its own.
 */
function checkedFor(key: string): number {
  const span = REPEATS_KNOWN_MAX_SECONDS - REPEATS_KNOWN_MIN_SECONDS;
  return REPEATS_KNOWN_MIN_SECONDS + (createHash('sha256').update(key).digest().readUInt32BE(0) % span);
}

/** Takes a message back, within a day. */
export async function recall({ api }: Sending, messageId: string): Promise<void> {
  await api.call('message/recall', { body: { msgid: messageId }, idempotent: true });
}
