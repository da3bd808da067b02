import type { InboundFile, Quote } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import type { BotIdentity } from '../api.ts';
import { blocksText } from './blocks.ts';
import type { Names } from './context.ts';
import { filesOf, filesPlaceholder } from './files.ts';
import { readText, type TextReading } from './text.ts';
import type { Attachment, MessageCore } from './wire.ts';

/** What a message says and carries. */
export interface Content {
  readonly reading: TextReading;
  /** The words, or what stands for them. */
  readonly text: string;
  readonly files: readonly InboundFile[];
  readonly quote?: Quote;
  readonly forwardedFrom?: string;
}

/** A person's words are in `text`; other apps often leave it empty and put theirs into blocks or attachments. */
export function contentOf(message: MessageCore, bot: BotIdentity, names: Names): Content {
  const { attachments = [], files = [] } = message;
  const shared = attachments.filter(isShare);
  const own = attachments.filter((attachment) => !isShare(attachment));
  const written = [
    () => message.text ?? '',
    () => blocksText(message.blocks ?? []),
    // Previews of links add nothing to what was said; only where nothing was said they count.
    () => (shared.length > 0 ? '' : own.map(attachmentText).filter(Boolean).join('\n')),
  ]
    .map((part) => part())
    .find((part) => part.trim() !== '');
  const reading = readText(written ?? '', bot, names);
  const isSilent = written === undefined;
  const [first] = shared;
  const quote = first === undefined ? undefined : quoteOf(first, bot, names);
  return {
    reading,
    text: isSilent
      ? (quote === undefined ? filesPlaceholder(files) : '') || (quote === undefined ? '[message]' : '[shared message]')
      : reading.text,
    files: filesOf(files),
    ...(quote === undefined ? {} : { quote }),
    ...(isSilent && quote?.author !== undefined ? { forwardedFrom: quote.author } : {}),
  };
}

const isShare = (attachment: Attachment): boolean => attachment.is_share === true || attachment.is_msg_unfurl === true;

/** Another message that this one passes on. */
function quoteOf(attachment: Attachment, bot: BotIdentity, names: Names): Quote {
  const { author_id: authorId, author_name: authorName, author_subname: subname, ts, files = [] } = attachment;
  const profile = authorId === undefined ? undefined : names.user(authorId);
  const author = profile?.name ?? authorName ?? subname ?? authorId;
  const text = readText(attachmentText(attachment), bot, names).text;
  return {
    ...(ts === undefined ? {} : { messageId: ts }),
    ...(author === undefined ? {} : { author: safeName(author) }),
    fromBot: authorId === bot.userId || (authorId !== undefined && authorId === bot.botId),
    text: text.trim() === '' ? filesPlaceholder(files) || '[message]' : text,
    files: filesOf(files),
  };
}

function attachmentText(attachment: Attachment): string {
  const { pretext, title, text, fallback, blocks = [], message_blocks: messageBlocks = [] } = attachment;
  const said = [pretext, title, text].filter((part) => part !== undefined && part !== '').join('\n');
  if (said !== '') return said;
  const inner = messageBlocks.flatMap((block) => {
    const message = (block as { message?: { blocks?: unknown } }).message;
    return Array.isArray(message?.blocks) ? message.blocks : [];
  });
  return blocksText([...blocks, ...inner]) || (fallback ?? '');
}
