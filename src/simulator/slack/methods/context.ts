import { ApiError } from '../api-error.ts';
import { type App, type Channel, findMessage, type Message } from '../model.ts';
import type { Params } from '../params.ts';
import type { Rates } from '../rates.ts';
import type { Wire } from '../wire.ts';
import type { World } from '../world.ts';

/** One call of a method by an app's bot. */
export interface Call {
  readonly world: World;
  readonly app: App;
  readonly params: Params;
  readonly rates: Rates;
}

export interface Method {
  /** What the bot needs one of; none: anybody may. */
  readonly scopes: readonly string[];
  readonly run: (call: Call) => Wire;
}

/** The channel that is named, if the bot can see it. A user's id means the direct messages with that user. */
export function channelOf({ world, app, params }: Call, name = 'channel'): Channel {
  const id = params.required(name, 'channel_not_found');
  const channel =
    world.channelById(id) ??
    world.channels.find(({ kind, members }) => kind === 'im' && members.has(id) && members.has(app.user.id));
  if (channel === undefined || (channel.kind !== 'channel' && !channel.members.has(app.user.id))) {
    throw new ApiError('channel_not_found');
  }
  return channel;
}

/** A channel that the bot may write to. */
export function writableChannelOf(call: Call, name = 'channel'): Channel {
  const channel = channelOf(call, name);
  if (channel.archived) throw new ApiError('is_archived');
  if (!channel.members.has(call.app.user.id) && !call.app.scopes.has('chat:write.public')) {
    throw new ApiError('not_in_channel');
  }
  return channel;
}

export function messageOf(call: Call, channel: Channel, name = 'ts'): Message {
  const message = findMessage(channel, call.params.required(name, 'message_not_found'));
  if (message === undefined) throw new ApiError('message_not_found');
  return message;
}

/** A message of the bot's own. */
export function ownMessageOf(call: Call, channel: Channel, error: string): Message {
  const message = messageOf(call, channel);
  if (message.app !== call.app) throw new ApiError(error);
  return message;
}

/** The thread that is answered in; undefined when none is named. */
export function threadOf({ params }: Call, channel: Channel): string | undefined {
  const ts = params.string('thread_ts');
  if (ts === undefined) return undefined;
  if (!/^\d+\.\d{6}$/.test(ts)) throw new ApiError('invalid_thread_ts');
  const root = findMessage(channel, ts);
  if (root === undefined) throw new ApiError('thread_not_found');
  if (root.threadTs !== undefined && root.threadTs !== ts) throw new ApiError('cannot_reply_to_message');
  return ts;
}
