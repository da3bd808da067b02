import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AntlerError } from '../../../src/base/errors.ts';
import type { SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import type { OpenApi } from '../api.ts';
import { UUID_MAX_CHARS } from '../limits.ts';
import type { Names } from '../lookup/directory.ts';
import { isMessageId, type Places } from '../lookup/places.ts';
import { itemsShape } from '../normalize/wire.ts';
import type { Content } from './content.ts';

export interface Sending {
  readonly api: OpenApi;
  readonly places: Places;
  readonly channel: string;
  /** Whom Feishu can name in time. */
  readonly names: () => Names;
}

const sentShape = z.object({ data: z.object({ message_id: z.string().min(1) }) });

/** Sends one message: as an answer where there is a question, in its topic where there is one. */
export async function sendContent(
  sending: Sending,
  target: Target,
  content: Content,
  { key, signal }: Pick<SendOptions, 'key' | 'signal'>,
): Promise<SentMessage> {
  const { api, places, channel } = sending;
  const body = { ...content, uuid: uuidOf(channel, key) };
  const { replyTo = '', topic } = target;
  const id = await firstThatTakesIt([
    ...(isMessageId(replyTo) ? [() => answer(replyTo)] : []),
    async () => {
      const anchor = topic === undefined ? undefined : await anchorOf(sending, topic, replyTo);
      return anchor === undefined ? create() : answer(anchor);
    },
  ]);
  await places.said(id, target).catch(() => {}); // the message is out; its place in memory is worth no failure
  return { id };

  async function answer(messageId: string): Promise<string> {
    const path = `/im/v1/messages/${encodeURIComponent(messageId)}/reply`;
    return sentId(await api.call('POST', path, { body: { ...body, reply_in_thread: topic !== undefined }, signal }));
  }

  async function create(): Promise<string> {
    const query = { receive_id_type: idType(target.chat) };
    return sentId(
      await api.call('POST', '/im/v1/messages', { query, body: { ...body, receive_id: target.chat }, signal }),
    );
  }
}

/** A question that is gone does not keep the answer back; it has taken nothing, so the next way is tried. */
async function firstThatTakesIt(ways: readonly (() => Promise<string>)[]): Promise<string> {
  for (const [index, way] of ways.entries()) {
    try {
      return await way();
    } catch (error) {
      const isGone = error instanceof AntlerError && error.code === 'target_gone';
      if (!isGone || index === ways.length - 1) throw error;
    }
  }
  throw new AntlerError('internal', 'There was no way to send.');
}

function sentId(answer: unknown): string {
  const sent = sentShape.safeParse(answer);
  // It was accepted, so sending it again would say it twice.
  if (!sent.success) throw new AntlerError('uncertain', 'Feishu’s answer names no message.');
  return sent.data.data.message_id;
}

/** The platform sends to topics only by answering a message in them. */
async function anchorOf({ api, places }: Sending, topic: string, besides: string): Promise<string | undefined> {
  const known = places.anchorOf(topic);
  if (known !== undefined && known !== besides) return known;
  const query = { container_id_type: 'thread', container_id: topic, page_size: '10' };
  const found = itemsShape.safeParse(await api.call('GET', '/im/v1/messages', { query, idempotent: true }));
  return found.data?.data.items.find(({ deleted, message_id: id }) => !deleted && id !== besides)?.message_id;
}

/** Under the same uuid, Feishu sends once an hour. */
function uuidOf(channel: string, key: string): string {
  return createHash('sha256').update(`${channel}\n${key}`).digest('base64url').slice(0, UUID_MAX_CHARS);
}

const ID_TYPES = [
  [/^oc_/, 'chat_id'],
  [/^ou_/, 'open_id'],
  [/^on_/, 'union_id'],
] as const;

const idType = (id: string): string => ID_TYPES.find(([pattern]) => pattern.test(id))?.[1] ?? 'user_id';
