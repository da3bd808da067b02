import type { InboundMessage } from '../../../src/channel/message.ts';
import type { NormalizeContext } from './context.ts';
import { convertCommand, convertMembership, convertMove, convertPress, convertReaction } from './events.ts';
import { type Handout, typeOf } from './handout.ts';
import { convertMessage } from './message.ts';
import { convertShortcut } from './shortcut.ts';
import {
  commandShape,
  type EventBody,
  eventBodyShape,
  membershipShape,
  messageShape,
  moveShape,
  pressShape,
  reactionShape,
  shortcutShape,
} from './wire.ts';

export type { Names, NormalizeContext, Profile } from './context.ts';

type Converter = (event: unknown, tenant: string, context: NormalizeContext) => InboundMessage | null;

/** Reads an event of this shape; one that has another is nothing. */
const reader =
  <T>(
    shape: { safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false } },
    convert: (event: T, tenant: string, context: NormalizeContext) => InboundMessage | null,
  ): Converter =>
  (event, tenant, context) => {
    const parsed = shape.safeParse(event);
    return parsed.success ? convert(parsed.data, tenant, context) : null;
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
  ['block_actions', reader(pressShape, (press, _tenant, about) => convertPress(press, about))],
  ['message_action', reader(shortcutShape, (shortcut, _tenant, about) => convertShortcut(shortcut, about))],
]);

/** Reads what Slack hands out. Null means that there is nothing in it for anybody; this never throws. */
export function normalize({ kind, body }: Handout, context: NormalizeContext): InboundMessage | null {
  switch (kind) {
    case 'event':
      return readEvent(body, context);
    case 'interactive':
      return interactions.get(typeOf({ kind, body }))?.(body, '', context) ?? null;
    case 'command':
      return reader(commandShape, (command, _tenant, about) => convertCommand(command, about))(body, '', context);
  }
}

function readEvent(body: unknown, context: NormalizeContext): InboundMessage | null {
  const parsed = eventBodyShape.safeParse(body);
  if (!parsed.success) return null;
  const { event } = parsed.data;
  return converters.get(event.type)?.(event, tenantOf(parsed.data, context), context) ?? null;
}

/** In an organisation an event may come from another workspace than the one whose bot hears it. */
function tenantOf({ authorizations, team_id: team }: EventBody, { bot }: NormalizeContext): string {
  return authorizations?.[0]?.team_id ?? (team === '' ? bot.teamId : team);
}
