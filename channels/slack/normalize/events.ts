import { COMMANDS, commandNamed } from '../../../src/base/commands.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import { personName, safeName } from '../../../src/format/safe-name.ts';
import { inboundBase, type NormalizeContext } from './context.ts';
import { chatRefOf, timeOf, topicOf } from './place.ts';
import { unescaped } from './text.ts';
import type { Command, Membership, Move, Press, Reaction } from './wire.ts';

/** A reaction was added or taken away; null for the bot's own, and for those to files. */
export function convertReaction(event: Reaction, context: NormalizeContext): InboundMessage | null {
  const { user, reaction, item, item_user: author } = event;
  if (item.type !== 'message' || user === context.bot.userId) return null;
  const change = event.type === 'reaction_added' ? 'added' : 'removed';
  const fromBot = author === context.bot.userId;
  return {
    ...inboundBase(context),
    chat: chatRefOf(item.channel, context.names),
    id: [item.ts, user, reaction, change, event.event_ts ?? ''].join('/'),
    kind: 'reaction',
    sender: personOf(user, context),
    sentAt: event.event_ts === undefined ? context.now : timeOf(event.event_ts),
    text: change === 'added' ? `:${reaction}:` : `[removed :${reaction}:]`,
    addressed: fromBot ? 'reply' : 'none',
    mentions: [],
    quote: { messageId: item.ts, fromBot, text: '', files: [] },
    files: [],
  };
}

/** Somebody came into a channel or left it; of the bot itself, by whom. */
export function convertMembership(event: Membership, context: NormalizeContext): InboundMessage {
  const { user, channel, inviter, event_ts: ts } = event;
  const name = safeName(context.names.user(user)?.name, user === context.bot.userId ? context.bot.name : '', user);
  const kind = event.type === 'member_joined_channel' ? 'joined' : 'left';
  return {
    ...inboundBase(context),
    chat: chatRefOf(channel, context.names),
    id: [kind, user, ts ?? String(context.now)].join('/'),
    kind,
    sender: personOf(inviter ?? user, context),
    sentAt: ts === undefined ? context.now : timeOf(ts),
    text: name,
    addressed: 'none',
    mentions: [{ id: user, name }],
    files: [],
  };
}

/** A channel has another id from now on. https://docs.slack.dev/reference/events/channel_id_changed */
export function convertMove(event: Move, context: NormalizeContext): InboundMessage {
  const { old_channel_id: old, new_channel_id: migratedTo, event_ts: ts } = event;
  return {
    ...inboundBase(context),
    chat: { id: old, kind: 'group' },
    id: `to${migratedTo}`,
    kind: 'migrated',
    sender: personOf(context.bot.userId, context, context.bot.name),
    sentAt: ts === undefined ? context.now : timeOf(ts),
    text: '',
    addressed: 'none',
    mentions: [],
    files: [],
    migratedTo,
  };
}

/** A button was pressed, or something chosen; null outside of messages: in the app's home and in dialogs. */
export function convertPress(press: Press, context: NormalizeContext): InboundMessage | null {
  const { container, message, user, actions } = press;
  const [action] = actions;
  const channel = container?.channel_id ?? press.channel?.id;
  const ts = container?.message_ts ?? message?.ts;
  if (action === undefined || channel === undefined || ts === undefined) return null;
  const chat = chatRefOf(channel, context.names, press.channel?.name === 'directmessage' ? 'im' : undefined);
  const topic = topicOf(chat, { ts, thread_ts: container?.thread_ts ?? message?.thread_ts });
  return {
    ...inboundBase(context),
    chat,
    ...(topic === undefined ? {} : { topic }),
    id: [ts, action.action_id, user.id, action.action_ts ?? String(context.now)].join('/'),
    kind: 'action',
    sender: personOf(user.id, context, user.name ?? user.username),
    sentAt: action.action_ts === undefined ? context.now : timeOf(action.action_ts),
    text: action.value ?? action.selected_option?.value ?? '',
    addressed: chat.kind === 'dm' ? 'dm' : 'reply',
    mentions: [],
    quote: { messageId: ts, fromBot: true, text: unescaped(message?.text ?? ''), files: [] },
    files: [],
  };
}

/**
 * A slash command. Slack keeps every message that begins with a slash from bots and passes on only the commands that
 * the app has declared: one, usually, with ours as its first word: `/antler new`.
 */
export function convertCommand(command: Command, context: NormalizeContext): InboundMessage {
  const { channel_id: channel, channel_name: channelName, user_id: user, user_name: userName } = command;
  const chat = chatRefOf(channel, context.names, channelName === 'directmessage' ? 'im' : undefined);
  return {
    ...inboundBase(context),
    chat,
    id: commandId(command, context.now),
    kind: 'message',
    sender: personOf(user, context, userName),
    sentAt: context.now,
    text: commandText(command),
    addressed: chat.kind === 'dm' ? 'dm' : 'command',
    mentions: [],
    files: [],
  };
}

/** Commands have no message of their own; this is what their answers refer to. */
export function commandId({ trigger_id: trigger, user_id: user }: Command, now: number): string {
  return `command/${trigger ?? `${user}/${now}`}`;
}

function commandText({ command, text }: Command): string {
  const said = unescaped(text).trim();
  const name = command.replace(/^\//, '').toLowerCase();
  if (commandNamed(name) !== undefined) return `/${name} ${said}`.trim();
  if (said === '') return '/help';
  return isBareCommand(said) ? `/${said}` : said;
}

/** What may stand behind a command's name without its slash. */
const WORDS_BEHIND = 2;

/** `status` is a command, and `model small`; `who wrote Faust?` is a question. */
function isBareCommand(said: string): boolean {
  const [first = '', ...rest] = said.split(/\s+/);
  const name = commandNamed(first);
  return name !== undefined && rest.length <= (COMMANDS[name].args ? WORDS_BEHIND : 0);
}

/** Somebody who does something, by what is known of them and the handle that Slack gives along. */
export function personOf(id: string, { names }: NormalizeContext, handle?: string): InboundMessage['sender'] {
  const profile = names.user(id);
  return {
    id,
    name: personName(profile?.name, handle),
    isBot: profile?.isBot ?? false,
    ...(profile?.language === undefined ? {} : { language: profile.language }),
  };
}
