import type { Quote } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import type { BotIdentity } from '../api.ts';
import { attachmentText, isShare } from './attachments.ts';
import type { Names } from './context.ts';
import { filesNotes, filesOf, filesPlaceholder } from './files.ts';
import { readText } from './text.ts';
import type { Attachment } from './wire.ts';

/** What a message passes on, as one quotation; of several messages each further one begins with its author. */
export function quoteOf(attachments: readonly Attachment[], bot: BotIdentity, names: Names): Quote | undefined {
  const [first, ...further] = attachments.map((attachment) => partOf(attachment, bot, names)).filter(saysSomething);
  if (first === undefined || further.length === 0) return first;
  const texts = further.map(({ author, text }) => (author === undefined ? text : `${author}: ${text}`));
  return {
    ...first,
    text: [first.text, ...texts].join('\n\n'),
    files: [first, ...further].flatMap(({ files }) => files),
  };
}

const saysSomething = ({ text, files }: Quote): boolean => text !== '' || files.length > 0;

function partOf(attachment: Attachment, bot: BotIdentity, names: Names): Quote {
  const { author_id: authorId, author_name: authorName, author_subname: subname, ts, files = [] } = attachment;
  const profile = authorId === undefined ? undefined : names.user(authorId);
  const author = profile?.name ?? authorName ?? subname ?? authorId ?? attachment.service_name;
  const words = readText(attachmentText(attachment), bot, names).text.trim();
  return {
    ...(ts === undefined ? {} : { messageId: ts }),
    ...(author === undefined ? {} : { author: safeName(author) }),
    fromBot: authorId === bot.userId || (authorId !== undefined && authorId === bot.botId),
    text:
      words === ''
        ? filesPlaceholder(files) || (isShare(attachment) ? '[message]' : '')
        : [words, filesNotes(files)].filter(Boolean).join('\n'),
    files: filesOf(files),
  };
}
