import { earlierText } from '../../src/channel/earlier-text.ts';
import type { EarlierMessage, EarlierOptions, Target } from '../../src/channel/port.ts';
import type { BotIdentity, SlackApi } from './api.ts';
import type { Directory } from './directory.ts';
import { LOOKUP_TIMEOUT_MS } from './limits.ts';
import { contentOf } from './normalize/content.ts';
import { idsInMessages } from './normalize/ids.ts';
import { type MessageCore, repliesShape } from './normalize/wire.ts';

export interface EarlierParts {
  readonly api: SlackApi;
  readonly bot: BotIdentity;
  readonly directory: Directory;
}

/** conversations.replies gives no more at once, and the oldest first. */
const PAGE = 1_000;
const PAGES_MOST = 5;
const TS = /^\d+\.\d+$/;

/** What was said in a thread, its first message always among it, or in a channel. */
export async function readEarlier(
  parts: EarlierParts,
  { chat: channel, topic }: Pick<Target, 'chat' | 'topic'>,
  { before, limit, signal }: EarlierOptions,
): Promise<readonly EarlierMessage[]> {
  const { api, bot, directory } = parts;
  // A slash command has no place among the messages, but a time.
  const until = TS.test(before.id) ? before.id : (before.sentAt / 1_000).toFixed(6);
  const all =
    topic === undefined
      ? await channelBefore(api, channel, until, limit, signal)
      : await threadOf(api, channel, topic, signal);
  const [first, ...others] = all.filter(({ ts }) => ts !== until && Number(ts) < Number(until));
  if (first === undefined) return [];
  const shown = [first, ...others.slice(Math.max(0, others.length - limit + 1))];
  await directory.lookUp(idsInMessages(shown));
  return shown.map((message) => {
    const { text, files } = contentOf(message, bot, directory);
    return {
      id: message.ts,
      at: Math.round(Number(message.ts) * 1_000),
      name: nameOf(message, directory),
      fromBot: message.user === bot.userId,
      text: earlierText({ text, files }),
    };
  });
}

/** All of a thread, or as much as can be had in time. */
async function threadOf(api: SlackApi, channel: string, topic: string, signal: AbortSignal): Promise<MessageCore[]> {
  const messages = new Map<string, MessageCore>(); // the root comes with every page
  let cursor: string | undefined = '';
  for (let page = 1; page <= PAGES_MOST && cursor !== undefined; page++) {
    const args = { channel, ts: topic, limit: PAGE, ...(cursor === '' ? {} : { cursor }) };
    const options = { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS, signal };
    const answer: unknown = await api.call('conversations.replies', args, options).catch((error: unknown) => {
      if (page === 1) throw error;
    });
    const { data } = repliesShape.safeParse(answer);
    for (const message of data?.messages ?? []) messages.set(message.ts, message);
    cursor = data?.response_metadata?.next_cursor || undefined;
  }
  return [...messages.values()];
}

async function channelBefore(
  api: SlackApi,
  channel: string,
  latest: string,
  limit: number,
  signal: AbortSignal,
): Promise<MessageCore[]> {
  const options = { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS, signal };
  const answer = await api.call('conversations.history', { channel, latest, limit }, options);
  return repliesShape.parse(answer).messages.toReversed();
}

const nameOf = ({ user, username, bot_profile: bot }: MessageCore, directory: Directory): string =>
  directory.user(user ?? '')?.name ?? username ?? bot?.name ?? '';
