import { ApiError } from '../api-error.ts';
import { findMessage, isVisible } from '../model.ts';
import { channelToWire, messageToWire, userToWire, type Wire } from '../wire.ts';
import { type Call, channelOf, type Method, messageOf } from './context.ts';

/** https://docs.slack.dev/reference/methods/auth.test */
const test = ({ world, app }: Call) => ({
  url: `https://${world.team.domain}.slack.com/`,
  team: world.team.name,
  user: app.user.name,
  team_id: world.team.id,
  user_id: app.user.id,
  bot_id: app.botId,
  is_enterprise_install: false,
});

/** https://docs.slack.dev/reference/methods/users.info */
const info = ({ world, app, params, rates }: Call) => {
  rates.count(app, 'users.info', 4);
  const user = world.userById(params.required('user', 'user_not_found'));
  if (user === undefined) throw new ApiError('user_not_found');
  const { locale, ...wire } = userToWire(user, world.team.id);
  return { user: params.flag('include_locale') ? { ...wire, locale } : wire };
};

/** https://docs.slack.dev/reference/methods/conversations.info */
const channelInfo = (call: Call) => {
  call.rates.count(call.app, 'conversations.info', 3);
  return { channel: channelToWire(channelOf(call), call.app.user.id) };
};

/** https://docs.slack.dev/reference/methods/conversations.replies */
const replies = (call: Call) => {
  const { world, app, params, rates } = call;
  rates.count(app, 'conversations.replies', 3);
  const channel = channelOf(call);
  const root = findMessage(channel, params.string('ts'));
  if (root === undefined) throw new ApiError('thread_not_found');
  const limit = params.number('limit', 1_000);
  const all = channel.messages.filter(
    (message) =>
      isVisible(message) &&
      (message === root ||
        (message.threadTs === root.ts &&
          message.ts >= (params.string('oldest') ?? '0') &&
          message.ts <= (params.string('latest') ?? '9'))),
  );
  const from = params.number('cursor', 0);
  const next = from + limit < all.length ? String(from + limit) : '';
  return {
    messages: all
      .slice(from, from + limit)
      .map((message) => readable(call, messageToWire(message, world.team.id, world.root))),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
};

/** https://docs.slack.dev/reference/methods/conversations.history: newest first, and without replies. */
const history = (call: Call) => {
  const { world, app, params, rates } = call;
  rates.count(app, 'conversations.history', 3);
  const channel = channelOf(call);
  const oldest = params.string('oldest') ?? '0';
  const latest = params.string('latest') ?? '9';
  const all = channel.messages
    .filter(
      (message) =>
        isVisible(message) &&
        message.ts > oldest &&
        (message.ts < latest || (params.flag('inclusive') && message.ts === latest)) &&
        (message.threadTs === undefined || message.subtype === 'thread_broadcast'),
    )
    .reverse();
  const shown = all.slice(0, params.number('limit', 100));
  return {
    messages: shown.map((message) => readable(call, messageToWire(message, world.team.id, world.root))),
    has_more: shown.length < all.length,
  };
};

/** What others have put along with a message is shown only on request. */
function readable({ params }: Call, { metadata, ...wire }: Wire): Wire {
  return metadata !== undefined && params.flag('include_all_metadata') ? { ...wire, metadata } : wire;
}

/** https://docs.slack.dev/reference/methods/usergroups.list */
const groups = ({ world, app, params, rates }: Call) => {
  rates.count(app, 'usergroups.list', 2);
  return {
    usergroups: world.groups.map(({ members, ...group }) => ({
      ...{ ...group, is_usergroup: true, team_id: world.team.id, user_count: members.size },
      ...(params.flag('include_users') ? { users: [...members] } : {}),
    })),
  };
};

/** https://docs.slack.dev/reference/methods/conversations.open */
const open = ({ world, app, params }: Call) => {
  const user = params.required('users', 'users_list_not_supplied');
  const found = world.channels.find(
    ({ kind, members }) => kind === 'im' && members.has(user) && members.has(app.user.id),
  );
  if (world.userById(user) === undefined) throw new ApiError('user_not_found');
  const channel = found ?? {
    id: world.newId('D'),
    kind: 'im' as const,
    name: '',
    members: new Set([user, app.user.id]),
    messages: [],
    archived: false,
  };
  if (found === undefined) world.channels.push(channel);
  return { channel: { id: channel.id } };
};

/** https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
const setStatus = (call: Call) => {
  const channel = channelOf(call, 'channel_id');
  const root = messageOf({ ...call, params: call.params }, channel, 'thread_ts');
  const status = call.params.string('status') ?? '';
  call.world.events.emit({ type: 'status', channel, user: call.app.user, threadTs: root.ts, status });
  return {};
};

/** https://docs.slack.dev/reference/methods/reactions.add */
const react =
  (change: 'added' | 'removed') =>
  (call: Call): Record<string, never> => {
    const { world, app, params, rates } = call;
    rates.count(app, 'reactions', 3);
    const message = messageOf(call, channelOf(call), 'timestamp');
    const name = params.required('name', 'no_reaction').replaceAll(':', '');
    const has = message.reactions.get(name)?.has(app.user.id) === true;
    if (has && change === 'added') throw new ApiError('already_reacted');
    if (!has && change === 'removed') throw new ApiError('no_reaction');
    world.react(message, app.user, name, change);
    return {};
  };

const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'] as const;

export const peopleMethods: Readonly<Record<string, Method>> = {
  'auth.test': { scopes: [], run: test },
  'users.info': { scopes: ['users:read'], run: info },
  'conversations.info': { scopes: ['channels:read', 'groups:read', 'im:read', 'mpim:read'], run: channelInfo },
  'conversations.replies': { scopes: HISTORY, run: replies },
  'conversations.history': { scopes: HISTORY, run: history },
  'usergroups.list': { scopes: ['usergroups:read'], run: groups },
  'conversations.open': { scopes: ['im:write'], run: open },
  'assistant.threads.setStatus': { scopes: ['chat:write', 'assistant:write'], run: setStatus },
  'reactions.add': { scopes: ['reactions:write'], run: react('added') },
  'reactions.remove': { scopes: ['reactions:write'], run: react('removed') },
};
