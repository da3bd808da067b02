import type { InboundMessage } from '../../../src/channel/message.ts';
import type { NormalizeContext } from './context.ts';
import { convertCommand, convertMembership, convertMove, convertPress, convertReaction } from './events.ts';
import { type Handout, typeOf } from './handout.ts';
import { convertMessage } from './message.ts';
import { convertShortcut } from './shortcut.ts';
import {
  commandShape,
  eventBodyShape,
  membershipShape,
  messageShape,
  moveShape,
  pressShape,
  reactionShape,
  shortcutShape,
} from './wire.ts';

export type { Names, NormalizeContext, Profile } from './context.ts';

type Converter = (event: unknown, context: NormalizeContext) => InboundMessage | null;

/** Reads an event of this shape; one that has another is nothing. */
const reader =
  <T>(
    shape: { safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false } },
    convert: (event: T, context: NormalizeContext) => InboundMessage | null,
  ): Converter =>
  (event, context) => {
    const parsed = shape.safeParse(event);
    return parsed.success ? convert(parsed.data, context) : null;
  };

/** One converter a type of event; what is not here is nobody's business. https://docs.slack.dev/reference/events */
const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['message', reader(messageShape, convertMessage)],
  ['app_mention', reader(messageShape, convertMessage)],
  ['reaction_added', reader(reactionShape, convertReaction)],
  ['reaction_removed', reader(reactionShape, convertReaction)],
  ['member_joined_channel', reader(membershipShape, convertMembership)],
  ['member_left_channel', reader(membershipShape, convertMembership)],
  ['channel_id_changed', reader(moveShape, convertMove)],
]);

/** Dialogs and menus are nothing that the bot has opened. */
const interactions: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['block_actions', reader(pressShape, convertPress)],
  ['message_action', reader(shortcutShape, convertShortcut)],
]);

/** Reads what Slack hands out. Null means that there is nothing in it for anybody; this never throws. */
export function normalize({ kind, body }: Handout, context: NormalizeContext): InboundMessage | null {
  switch (kind) {
    case 'event':
      return readEvent(body, context);
    case 'interactive':
      return interactions.get(typeOf({ kind, body }))?.(body, context) ?? null;
    case 'command':
      return reader(commandShape, convertCommand)(body, context);
  }
}

function readEvent(body: unknown, context: NormalizeContext): InboundMessage | null {
  const parsed = eventBodyShape.safeParse(body);
  if (!parsed.success) return null;
  const { event } = parsed.data;
  return converters.get(event.type)?.(event, context) ?? null;
}
