import { AntlerError } from '../../../src/base/errors.ts';
import type { Addressed, InboundMessage } from '../../../src/channel/message.ts';

/** One picture, video or file of an album. */
export interface AlbumPart {
  readonly message: InboundMessage;
  /** Its text is what somebody wrote, not what stands for the file. */
  readonly hasWords: boolean;
}

const STRENGTH: readonly Addressed[] = ['none', 'all', 'topic-participant', 'reply', 'mention', 'command', 'dm'];

/** The stronger of two ways in which one message is addressed. */
export const stronger = (a: Addressed, b: Addressed): Addressed => (STRENGTH.indexOf(b) > STRENGTH.indexOf(a) ? b : a);

/**
 * Makes one message of the parts of an album: the caption, which any of them may carry, and all files in order.
 * @throws AntlerError when there are no parts
 */
export function joined(parts: readonly AlbumPart[]): InboundMessage {
  const messages = sorted(parts).map(({ message }) => message);
  const [first] = messages;
  if (first === undefined) throw new AntlerError('internal', 'an album without parts');
  const worded = parts.filter(({ hasWords }) => hasWords);
  const quote = messages.find((message) => message.quote !== undefined)?.quote;
  return {
    ...first,
    text: (worded.length > 0 ? sorted(worded) : sorted(parts)).map(({ message }) => message.text).join('\n'),
    addressed: messages.map(({ addressed }) => addressed).reduce(stronger),
    mentions: messages.flatMap(({ mentions }) => mentions),
    ...(quote === undefined ? {} : { quote }),
    files: messages.flatMap(({ files }) => files),
  };
}

const sorted = (parts: readonly AlbumPart[]): AlbumPart[] =>
  [...parts].sort((a, b) => Number(a.message.id) - Number(b.message.id));
