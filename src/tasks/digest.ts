import type { DeliveryId } from '../base/ids.ts';
import { say } from '../base/sentences.ts';
import type { NewDelivery } from '../bus/port.ts';
import type { ChannelBook } from '../channel/book.ts';
import { lineOf } from './card.ts';
import type { Task } from './port.ts';

/** When each chat is told which of its tasks are open. */
export interface DigestTime {
  /** `HH:MM`. */
  readonly at: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** So long after its time a digest is still one: whoever was away in the morning is not told at night. */
const LATE_MINUTES = 60;

/** The day whose digest is due now, e.g. `2030-01-31`; null: none is. */
export function digestDay({ at, timeZone }: DigestTime, now: number): string | null {
  const local = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(now);
  const [day = '', time = ''] = local.split(' ');
  const late = minutesOf(time) - minutesOf(at);
  return late >= 0 && late < LATE_MINUTES ? day : null;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** What each chat is told that day, once however often it is made. */
export function digests(open: readonly Task[], channels: ChannelBook, day: string, at: number): NewDelivery[] {
  const chats = Map.groupBy(open, ({ channel, chat }) => `${channel}/${encodeURIComponent(chat)}`);
  return [...chats].flatMap(([key, tasks]): NewDelivery[] => {
    const [first] = tasks;
    const entry = first === undefined ? undefined : channels.get(first.channel);
    if (first === undefined || entry === undefined) return [];
    const { channel, chat, language, message } = first;
    const target = { chat, chatKind: message.chat.kind };
    const lines = tasks.map((task) => `- ${lineOf(task, language)}`);
    return [
      {
        id: `task-digest/${key}/${day}` as DeliveryId,
        channel,
        target,
        document: { markdown: `${say(language, 'tasks_open')}\n\n${lines.join('\n')}` },
        limits: entry.manifest.limits(channel, target, 'send'),
        at,
        resendForMs: entry.settings.resendForMs,
        language,
      },
    ];
  });
}
