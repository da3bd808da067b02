import type { NormalizeContext, Reading } from './context.ts';
import {
  convertCardAction,
  convertEntered,
  convertMenu,
  convertRecall,
  membership,
  people,
  reaction,
} from './events.ts';
import { convertMessage } from './message.ts';
import { placeholderOf } from './placeholder.ts';
import { type Envelope, envelopeShape } from './wire.ts';

export type { Lookup, NormalizeContext, Reading } from './context.ts';

type Converter = (envelope: Envelope, context: NormalizeContext) => Reading | null;

/** Every event that means something to us; the README lists them for the developer console. */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['im.message.receive_v1', convertMessage],
  ['im.message.recalled_v1', convertRecall],
  ['im.message.reaction.created_v1', reaction('added')],
  ['im.message.reaction.deleted_v1', reaction('removed')],
  ['im.chat.member.bot.added_v1', membership('joined')],
  ['im.chat.member.bot.deleted_v1', membership('left')],
  ['im.chat.disbanded_v1', membership('left')],
  ['im.chat.member.user.added_v1', people('joined')],
  ['im.chat.member.user.deleted_v1', people('left')],
  ['im.chat.access_event.bot_p2p_chat_entered_v1', convertEntered],
  ['application.bot.menu_v6', convertMenu],
  ['card.action.trigger', convertCardAction],
]);

/** What has to be subscribed to in the developer console. */
export const eventTypes: readonly string[] = [...converters.keys()];

/**
 * Reads one event. Null means that there is nothing in it for anybody. A message that cannot be read becomes a
 * placeholder; this never throws.
 */
export function normalize(event: unknown, context: NormalizeContext): Reading | null {
  const envelope = envelopeShape.safeParse(event);
  if (!envelope.success) return null;
  try {
    return converters.get(envelope.data.header.event_type)?.(envelope.data, context) ?? null;
  } catch {
    return placeholderOf(envelope.data, context);
  }
}
