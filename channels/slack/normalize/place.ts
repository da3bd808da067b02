import type { ChatRef } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import type { Names } from './context.ts';

/** Direct messages are known by their id as well; `app_mention` says nothing of the kind of its channel. */
export function chatRefOf(id: string, names: Names, type?: string): ChatRef {
  if (type === 'im' || type === 'app_home' || (type === undefined && id.startsWith('D'))) return { id, kind: 'dm' };
  const title = names.channel(id);
  return { id, kind: 'group', ...(title === undefined ? {} : { title: safeName(title) }) };
}

/**
 * The thread that a message is in, or that an answer to it opens: in a channel every message may become the root of
 * one. Direct messages go on in the channel itself unless the person is in a thread.
 */
export function topicOf(
  chat: Pick<ChatRef, 'kind'>,
  { ts, thread_ts: thread }: { readonly ts: string; readonly thread_ts?: string | undefined },
): string | undefined {
  if (chat.kind === 'group') return thread ?? ts;
  return thread === ts ? undefined : thread;
}

/** Milliseconds since the epoch. */
export const timeOf = (ts: string): number => Math.floor(Number(ts) * 1_000);
