import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { ChannelState, Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import { textOf } from '../outbound/text.ts';
import { post } from './client.ts';
import { contextTokens } from './contexts.ts';
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
  { key, plain, signal }: SendOptions,
): Promise<SentMessage> {
  const text = textOf(document, plain === true ? 'bare' : 'ilink');
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
  { session, state, refusals, clock }: Sending,
  target: Target,
  item: WireItem,
  key: string,
  signal?: AbortSignal,
): Promise<SentMessage> {
  const credentials = await session.needed();
  const contexts = contextTokens(state, credentials.bot);
  const { chat } = target;
  const clientId = clientIdOf(key);

  const attempt = async (token: string): Promise<SentMessage> => {
    refusals.check(chat, token, clock.now());
    try {
      const sent = await post(
        credentials.root,
        'ilink/bot/sendmessage',
        body(target, item, clientId, token),
        sentShape,
        {
          token: credentials.token,
          signal,
        },
      );
      refusals.taken(chat);
      return { id: sent.message_id || clientId };
    } catch (thrown) {
      const error = asAntlerError(thrown);
      if (error.code === 'rate_limited') refusals.refused(chat, token, clock.now());
      if (error.code === 'unauthorized') session.ended(credentials);
      throw error;
    }
  };

  const token = await contexts.of(chat);
  if (token === null) throw new AntlerError('forbidden', NEVER_WROTE);
  try {
    return await attempt(token);
  } catch (thrown) {
    // The person may have written meanwhile, which opens the way; a second try with the same token would not.
    const newer = await contexts.of(chat);
    if (asAntlerError(thrown).code !== 'rate_limited' || newer === null || newer === token) throw thrown;
    return await attempt(newer);
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
  await recent.add(chat, { id, fromBot: true, text }).catch((error: unknown) => {
    log.warn({ err: error }, 'a message cannot be quoted later: it was not remembered');
  });
}
