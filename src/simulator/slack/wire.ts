import type { Channel, Message, StoredFile, User } from './model.ts';

/** Slack's objects, as events and methods show them. */
export type Wire = Readonly<Record<string, unknown>>;

export const userToWire = (user: User, team: string): Wire => ({
  id: user.id,
  team_id: team,
  name: user.name,
  deleted: false,
  real_name: user.displayName,
  tz: user.timezone,
  is_bot: user.isBot,
  locale: user.locale,
  profile: { real_name: user.displayName, display_name: user.isBot ? '' : user.displayName, team },
});

export const channelToWire = (channel: Channel, reader: string): Wire => ({
  id: channel.id,
  created: 1_700_000_000,
  is_archived: channel.archived,
  is_channel: channel.kind === 'channel',
  is_group: channel.kind === 'group',
  is_im: channel.kind === 'im',
  is_mpim: channel.kind === 'mpim',
  is_private: channel.kind !== 'channel',
  is_member: channel.members.has(reader),
  ...(channel.kind === 'im' ? { user: [...channel.members].find((id) => id !== reader) } : { name: channel.name }),
});

export const fileToWire = (file: StoredFile, root: string): Wire => ({
  id: file.id,
  created: 1_700_000_000,
  name: file.name,
  title: file.name,
  mimetype: file.mimetype,
  filetype: file.filetype,
  size: file.bytes.length,
  user: file.user,
  mode: 'hosted',
  url_private: `${root}/files-pri/${file.id}/${encodeURIComponent(file.name)}`,
  url_private_download: `${root}/files-pri/${file.id}/download/${encodeURIComponent(file.name)}`,
  ...file.extra,
});

const UNSEEN = 'check_file_info';

/** A file as messages show it: of what another organisation shares only the id, until somebody asks. */
const sharedFileToWire = (file: StoredFile, root: string): Wire =>
  file.extra?.file_access === UNSEEN
    ? { id: file.id, created: 0, user: null, mode: 'file_access', file_access: UNSEEN }
    : fileToWire(file, root);

/** A message as `conversations.history` and nested events show it. */
export function messageToWire(message: Message, team: string, root: string): Wire {
  const { app, threadTs, channel } = message;
  const replies = channel.messages.filter(
    (reply) => reply.threadTs === message.ts && reply.ts !== message.ts && reply.deletedAt === undefined,
  );
  const parent = threadTs === undefined ? undefined : channel.messages.find(({ ts }) => ts === threadTs);
  const inThread =
    threadTs !== undefined ? { thread_ts: threadTs } : replies.length > 0 ? { thread_ts: message.ts } : {};
  return {
    type: 'message',
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    user: message.user.id,
    text: message.text,
    ts: message.ts,
    team,
    ...(app === undefined
      ? { client_msg_id: `c-${message.ts}` }
      : { bot_id: app.botId, app_id: app.id, bot_profile: { id: app.botId, name: app.name, app_id: app.id } }),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(message.files.length > 0
      ? { files: message.files.map((file) => sharedFileToWire(file, root)), upload: false }
      : {}),
    ...inThread,
    ...(parent !== undefined && parent.ts !== message.ts ? { parent_user_id: parent.user.id } : {}),
    ...(replies.length > 0 ? { reply_count: replies.length } : {}),
    ...(message.stream === undefined ? {} : { streaming_state: message.stream.state }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.user.id, ts: message.editedTs } }),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
    ...message.extra,
  };
}
