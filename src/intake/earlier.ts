import { BoundedMap } from '../base/bounded-map.ts';
import { asAntlerError } from '../base/errors.ts';
import type { ThreadId, ThreadKey } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { ChannelEntry } from '../channel/book.ts';
import { type ChatRef, dedupeKey, type InboundMessage } from '../channel/message.ts';
import type { Adapter, EarlierMessage } from '../channel/port.ts';
import type { Store } from '../store/port.ts';

const MOST_MESSAGES = 30;
const MOST_CHARS = 8_000;
/**
 * The message waits so long for what stands before it, and no longer: Slack wants an event to be acknowledged within
 * three seconds (https://docs.slack.dev/apis/events-api/#responding).
 */
const WAIT_MS = 2_000;
const REMEMBERED = 10_000;
const READINGS_REMEMBERED = 200;

interface Asked {
  readonly message: InboundMessage;
  /** By the id that it has now. */
  readonly chat: ChatRef;
  readonly entry: ChannelEntry;
  readonly place: ThreadKey;
  readonly thread: ThreadId;
}

/**
 * What was said in a thread or group before somebody called the bot there for the first time: "look into this" means
 * what stands above. Once the bot has worked there, the conversation itself knows; one that was begun anew has left it
 * behind. Never rejects: nothing of a message depends on it.
 */
export type Earlier = (asked: Asked) => Promise<readonly EarlierMessage[]>;

interface EarlierRooms {
  readonly threads: Pick<Store['threads'], 'lastRunAt' | 'list'>;
  readonly adapter: (channel: string) => Pick<Adapter, 'earlier'> | undefined;
  readonly log: Logger;
}

export function createEarlier({ threads, adapter, log }: EarlierRooms): Earlier {
  const worked = new BoundedMap<ThreadId, true>(REMEMBERED);
  /** A mention may come as two events at once, and any event again: what stands above it is read once. */
  const readings = new BoundedMap<string, Promise<readonly EarlierMessage[]>>(READINGS_REMEMBERED);

  async function isFirst(place: ThreadKey, thread: ThreadId): Promise<boolean> {
    if (worked.get(thread) === true) return false;
    const [lastAt, [, former]] = await Promise.all([threads.lastRunAt(thread), threads.list(place, 2)]);
    if (lastAt === null && former === undefined) return true;
    worked.set(thread, true);
    return false;
  }

  async function read({ message, chat, place, thread }: Asked): Promise<readonly EarlierMessage[]> {
    const { channel, id, sentAt, quote } = message;
    const topic = topicAbove(message);
    const from = adapter(channel);
    if (from?.earlier === undefined || !(await isFirst(place, thread))) return [];
    const found = await from.earlier(
      { chat: chat.id, ...(topic === undefined ? {} : { topic }) },
      { before: { id, sentAt }, limit: MOST_MESSAGES, signal: AbortSignal.timeout(WAIT_MS) },
    );
    // What is quoted stands with the message.
    return newest(found.filter((one) => one.id !== id && one.id !== quote?.messageId && one.text !== ''));
  }

  return async (asked) => {
    const { channel } = asked.message;
    if (!mayStandThere(asked)) return [];
    const late = Promise.withResolvers<readonly EarlierMessage[]>();
    const timer = setTimeout(() => late.resolve([]), WAIT_MS);
    const key = dedupeKey(asked.message);
    const reading =
      readings.get(key) ??
      read(asked).catch((error: unknown) => {
        log.info({ channel, problem: asAntlerError(error).message }, 'what was said before cannot be read');
        return [];
      });
    readings.set(key, reading);
    try {
      return await Promise.race([reading, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function mayStandThere({ message, chat, entry: { settings, manifest } }: Asked): boolean {
  if (chat.kind === 'dm' || settings.earlier === 'never' || !manifest.capabilities.history) return false;
  if (message.kind !== 'message' && message.kind !== 'edit') return false;
  return topicAbove(message) !== undefined || settings.earlier === 'chat';
}

/** The topic that a message is said in; above one that opens its topic stands the chat. */
const topicAbove = ({ topic, id }: InboundMessage): string | undefined => (topic === id ? undefined : topic);

/** As many as there is room for. */
function newest(messages: readonly EarlierMessage[]): readonly EarlierMessage[] {
  let chars = 0;
  const tooOld = messages.findLastIndex(({ text }) => {
    chars += text.length;
    return chars > MOST_CHARS;
  });
  return messages.slice(tooOld + 1).slice(-MOST_MESSAGES);
}
