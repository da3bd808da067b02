import { type FileId, threadKey } from '../base/ids.ts';
import { type InboundFile, type InboundMessage, type Quote, senderKey } from '../channel/message.ts';
import { loggedFile } from '../files/describe.ts';
import type { Arrival } from '../files/port.ts';
import { countedFiles, fileIdIn } from '../files/wishes.ts';
import type { LoggedFile, Speaker, UserEntry } from '../harness/log.ts';
import { pressedIn } from './choices.ts';

/** A message that was sent longer ago than this when it is taken up says so to the model. */
const LATE_MS = 10 * 60_000;

/**
 * What a message becomes in the thread log when it is taken up at `now`. Its id is the platform's, so a turn that runs
 * again writes the same. `arrivals`: what became of its files.
 */
export function userEntry(
  message: InboundMessage,
  now: number,
  arrivals: ReadonlyMap<FileId, Arrival> = new Map(),
): UserEntry {
  const lateMs = now - message.sentAt;
  const filesOf = (files: readonly InboundFile[]): { readonly files?: readonly LoggedFile[] } => {
    const logged = countedFiles(files).map((file) => {
      const id = fileIdIn(message, file);
      return loggedFile(id, file, arrivals.get(id));
    });
    return logged.length === 0 ? {} : { files: logged };
  };
  return {
    kind: 'user',
    id: entryId(message),
    at: message.sentAt,
    ...said(message),
    speaker: speakerOf(message),
    ...(message.quote === undefined || saysNothing(message.quote)
      ? {}
      : {
          quote: {
            ...(message.quote.author === undefined ? {} : { author: message.quote.author }),
            fromBot: message.quote.fromBot,
            text: message.quote.text,
            ...filesOf(message.quote.files),
          },
        }),
    ...(lateMs < LATE_MS ? {} : { lateMs }),
    ...(message.forwardedFrom === undefined ? {} : { forwardedFrom: message.forwardedFrom }),
    ...filesOf(message.files),
  };
}

/** The id of what a message becomes in the log. */
export const entryId = ({ channel, chat, id }: Pick<InboundMessage, 'channel' | 'chat' | 'id'>): string =>
  `${channel}/${chat.id}/${id}`;

/** A button's press names the message that it stands under, on some platforms without its words. */
const saysNothing = ({ text, files }: Quote): boolean => text.trim() === '' && files.length === 0;

/** A message's words; those of a pressed button stand on it. */
function said({ kind, text, scheduled }: InboundMessage): Pick<UserEntry, 'text' | 'pressed'> {
  const pressed = kind === 'action' ? pressedIn(text) : null;
  if (pressed !== null) return { text: pressed.label, pressed: pressed.question };
  if (scheduled === true) return { text: `(said by a schedule of theirs, not just now) ${text}` };
  return { text: kind === 'edit' ? `(edited) ${text}` : text };
}

export const speakerOf = (message: InboundMessage): Speaker => ({ id: senderKey(message), name: message.sender.name });

/** To whom the work on a message belongs: in a private chat its speaker, in a group the chat. */
export const ownerOf = (message: InboundMessage): string =>
  message.chat.kind === 'dm' ? speakerOf(message).id : threadKey({ channel: message.channel, chat: message.chat.id });
