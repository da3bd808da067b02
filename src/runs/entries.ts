import { imUserKey } from '../base/ids.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Speaker, UserEntry } from '../harness/log.ts';

/** A message that was sent longer ago than this when it is taken up says so to the model. */
const LATE_MS = 10 * 60_000;

/**
 * What a message becomes in the thread log when it is taken up at `now`. Its id is the platform's, so a turn that runs
 * again writes the same.
 */
export function userEntry(message: InboundMessage, now: number): UserEntry {
  const lateMs = now - message.sentAt;
  return {
    kind: 'user',
    id: `${message.channel}/${message.chat.id}/${message.id}`,
    at: message.sentAt,
    text: message.kind === 'edit' ? `(edited) ${message.text}` : message.text,
    speaker: speakerOf(message),
    ...(message.quote === undefined
      ? {}
      : {
          quote: {
            ...(message.quote.author === undefined ? {} : { author: message.quote.author }),
            fromBot: message.quote.fromBot,
            text: message.quote.text,
          },
        }),
    ...(lateMs < LATE_MS ? {} : { lateMs }),
    ...(message.forwardedFrom === undefined ? {} : { forwardedFrom: message.forwardedFrom }),
    ...(message.files.length === 0 ? {} : { files: message.files.map((file) => file.name) }),
  };
}

export function speakerOf(message: InboundMessage): Speaker {
  return {
    id: imUserKey({ channelType: message.channelType, tenant: message.tenant, user: message.sender.id }),
    name: message.sender.name,
  };
}
