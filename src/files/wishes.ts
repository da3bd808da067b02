import { type FileId, inboundFileId, type ThreadId } from '../base/ids.ts';
import { type InboundFile, type InboundMessage, senderKey } from '../channel/message.ts';
import type { Wish } from './port.ts';

/** More in one message are left out: no person sends so many at once, and the model is told of no more. */
const MAX_FILES = 50;

/** Those of a message, or of what it quotes, that count. */
export const countedFiles = (files: readonly InboundFile[]): readonly InboundFile[] => files.slice(0, MAX_FILES);

/** The files of a message and of what it quotes. */
export function wishesOf(message: InboundMessage, thread: ThreadId): readonly Wish[] {
  const { channel, chat } = message;
  const owner = senderKey(message);
  const wish = (file: InboundFile): Wish => ({
    id: fileIdIn(message, file),
    thread,
    channel,
    chat: chat.id,
    owner,
    file,
  });
  return [...countedFiles(message.files), ...countedFiles(message.quote?.files ?? [])].map(wish);
}

/** The id under which a message's file is kept, whether it is its own or one that it quotes. */
export const fileIdIn = ({ channel, chat, id }: InboundMessage, file: InboundFile): FileId =>
  inboundFileId(channel, chat.id, id, file.id);
