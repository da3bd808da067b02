import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { ChannelState, Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { textOf } from '../outbound/text.ts';
import { post } from './client.ts';
import { contextTokens } from './contexts.ts';
import type { Credentials } from './credentials.ts';
import type { Recent } from './recent.ts';
import type { Refusals } from './refusals.ts';
import type { Session } from './session.ts';
import { ITEM, sentShape } from './wire.ts';

export interface Sending {
  readonly session: Session;
  readonly state: ChannelState;
  readonly recent: Recent;
  readonly refusals: Refusals;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends a text. */
export async function sendText(
  sending: Sending,
  target: Target,
  document: Document,
  { key, signal }: SendOptions,
): Promise<SentMessage> {
  const text = textOf(document, 'ilink');
  const { id } = await sendItem(sending, target, { type: ITEM.text, text_item: { text } }, key, signal);
  await remember(sending, target.chat, id, text);
  return { id };
}

/** As much of the protocol's message as one item is; a message holds exactly one. */
export type WireItem = { readonly type: number } & Readonly<Record<string, unknown>>;

/**
 * Sends one item. `key` becomes the client's id of the message, by which the server knows a second send again.
 * @throws AntlerError `forbidden` to whom the bot may not write; and all that the client knows
 */
export async function sendItem(
  sending: Sending,
  target: Target,
  item: WireItem,
  key: string,
  signal?: AbortSignal,
): Promise<SentMessage> {
  const way = await wayTo(sending, target.chat);
  const clientId = clientIdOf(key);
  try {
    return await attempt(sending, target, item, clientId, way, signal);
  } catch (thrown) {
    const { code } = asAntlerError(thrown);
    if (code !== 'rate_limited' && code !== 'unauthorized') throw thrown;
    // It was not taken. Meanwhile the person may have written or somebody may have logged in anew, at another replica
    // too; either opens another way, and nothing else is worth a second try.
    const other = await wayTo(sending, target.chat);
    if (other.token === way.token && other.credentials.token === way.credentials.token) throw thrown;
    return await attempt(sending, target, item, clientId, other, signal);
  }
}

/** @throws AntlerError when nothing can be sent to that chat now, as far as that is known here */
export async function assertOpen(sending: Sending, chat: string): Promise<void> {
  const { token } = await wayTo(sending, chat);
  sending.refusals.check(chat, token, sending.clock.now());
}

/** What a message needs to get through. */
interface Way {
  readonly credentials: Credentials;
  readonly token: string;
}

async function wayTo({ session, state }: Sending, chat: string): Promise<Way> {
  const credentials = await session.needed();
  const token = await contextTokens(state, credentials.bot).of(chat);
  if (token === null) throw new AntlerError('forbidden', NEVER_WROTE);
  return { credentials, token };
}

async function attempt(
  { session, refusals, clock }: Sending,
  target: Target,
  item: WireItem,
  clientId: string,
  { credentials, token }: Way,
  signal: AbortSignal | undefined,
): Promise<SentMessage> {
  const { chat } = target;
  refusals.check(chat, token, clock.now());
  try {
    const message = body(target, item, clientId, token);
    const options = { token: credentials.token, signal };
    const sent = await post(credentials.root, 'ilink/bot/sendmessage', message, sentShape, options);
    refusals.taken(chat);
    return { id: sent.message_id || clientId };
  } catch (thrown) {
    const error = asAntlerError(thrown);
    if (error.code === 'unauthorized') session.ended(credentials);
    if (error.code !== 'rate_limited') throw error;
    const retryAfterMs = refusals.refused(chat, token, clock.now());
    throw new AntlerError('rate_limited', error.message, { retryable: true, retryAfterMs });
  }
}

const NEVER_WROTE =
  'This person has not written to the bot since it logged in; WeChat lets a bot answer but never begin.';

function body({ chat, chatKind }: Target, item: WireItem, clientId: string, token: string): object {
  return {
    msg: {
      from_user_id: '',
      to_user_id: chat,
      ...(chatKind === 'group' ? { group_id: chat } : {}),
      client_id: clientId,
      message_type: 2,
      message_state: 2,
      item_list: [item],
      ...(token === '' ? {} : { context_token: token }),
    },
  };
}

/** Keys are of any length and kind; a client's id is short and of few characters. */
const clientIdOf = (key: string): string => `antler-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;

/** So that it can be quoted; that it cannot is no reason to send it again. */
export async function remember({ recent, log }: Sending, chat: string, id: string, text: string): Promise<void> {
  await recent.said(chat, id, text).catch((error: unknown) => {
    log.warn({ err: error }, 'a message cannot be quoted later: it was not remembered');
  });
}
