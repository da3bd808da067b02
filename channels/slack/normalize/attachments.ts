import { property } from '../../../src/base/property.ts';
import { blocksText } from './blocks.ts';
import type { Attachment } from './wire.ts';

/** Another message that is passed on, rather than what an app has attached or a link shows. */
export const isShare = (attachment: Attachment): boolean =>
  attachment.is_share === true || attachment.is_msg_unfurl === true;

/** What an attachment says, in Slack's form. https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
export function attachmentText(attachment: Attachment): string {
  const { pretext, title, text, fields = [], fallback, blocks = [], message_blocks: messageBlocks = [] } = attachment;
  const named = fields.map((field) => [property(field, 'title'), property(field, 'value')].filter(isText).join(': '));
  const said = [pretext, title, text, ...named].filter(isText).join('\n');
  if (said !== '') return said;
  const inner = messageBlocks.flatMap((block) => {
    const found = property(property(block, 'message'), 'blocks');
    return Array.isArray(found) ? found : [];
  });
  return blocksText([...blocks, ...inner]) || (fallback ?? '');
}

const isText = (part: unknown): part is string => typeof part === 'string' && part !== '';
