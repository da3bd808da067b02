import type { InboundFile, Quote } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';
import { attachmentText, isShare } from './attachments.ts';
import { blocksText } from './blocks.ts';
import type { Names } from './context.ts';
import { filesNotes, filesOf, filesPlaceholder } from './files.ts';
import { quoteOf } from './quote.ts';
import { readText, type TextReading } from './text.ts';
import type { MessageCore } from './wire.ts';

/** What a message says and carries. */
export interface Content {
  readonly reading: TextReading;
  /** The words, or what stands for them. */
  readonly text: string;
  readonly files: readonly InboundFile[];
  readonly quote?: Quote;
  readonly forwardedFrom?: string;
}

export function contentOf(message: MessageCore, bot: BotIdentity, names: Names): Content {
  const { attachments = [], files = [] } = message;
  const words = wordsOf(message);
  const isSilent = words.trim() === '';
  const reading = readText(words, bot, names);
  const shared = attachments.filter(isShare);
  // What a link shows belongs to a person's words as a quotation; an app's attachments are its words.
  const quoted = shared.length > 0 || isSilent || message.bot_id !== undefined ? shared : attachments;
  const quote = quoteOf(quoted, bot, names);
  const text = isSilent
    ? filesPlaceholder(files) || (quote === undefined ? '[message]' : '[shared message]')
    : [reading.text, filesNotes(files)].filter(Boolean).join('\n');
  return {
    reading,
    text,
    files: filesOf(files),
    ...(quote === undefined ? {} : { quote }),
    ...(isSilent && quote?.author !== undefined ? { forwardedFrom: quote.author } : {}),
  };
}

/** A person's words are in `text`; other apps often leave it empty and put theirs into blocks and attachments. */
function wordsOf({ bot_id: botId, text = '', blocks = [], attachments = [] }: MessageCore): string {
  const inBlocks = blocksText(blocks);
  const attached = (): string =>
    attachments
      .filter((attachment) => !isShare(attachment))
      .map(attachmentText)
      .filter(Boolean)
      .join('\n');
  // An app's text is but the notification where there are blocks of its own.
  const isNotice = botId !== undefined && blocks.some(({ type }) => type !== 'rich_text') && inBlocks !== '';
  const said = isNotice || text.trim() === '' ? inBlocks : text;
  const needsAttached = botId !== undefined || (said.trim() === '' && !attachments.some(isShare));
  return [said, needsAttached ? attached() : ''].filter((part) => part.trim() !== '').join('\n');
}
