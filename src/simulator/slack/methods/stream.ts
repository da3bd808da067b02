import { ApiError } from '../api-error.ts';
import { checkBlocks } from '../blocks.ts';
import type { Block, Message } from '../model.ts';
import { isExpired } from './chat.ts';
import { type Call, channelOf, type Method, ownMessageOf, threadOf, writableChannelOf } from './context.ts';

const WRITE = ['chat:write'] as const;

/** https://docs.slack.dev/reference/methods/chat.startStream */
const start = (call: Call) => {
  const { world, app, params, rates } = call;
  rates.count(app, 'chat.startStream', 2);
  const channel = writableChannelOf(call);
  const threadTs = threadOf(call, channel);
  if (threadTs === undefined) throw new ApiError('invalid_thread_ts');
  if (channel.kind !== 'im') {
    if (params.string('recipient_user_id') === undefined) throw new ApiError('missing_recipient_user_id');
    if (params.string('recipient_team_id') === undefined) throw new ApiError('missing_recipient_team_id');
  }
  const text = textOf(call);
  const message = world.post({
    channel,
    user: app.user,
    app,
    text,
    blocks: text === '' ? [] : [{ type: 'markdown', text }],
    threadTs,
    stream: { state: 'in_progress', startedAt: world.now() },
  });
  return { channel: channel.id, ts: message.ts };
};

/** https://docs.slack.dev/reference/methods/chat.appendStream */
const append = (call: Call) => {
  const { world, app, rates } = call;
  rates.count(app, 'chat.appendStream', 4);
  const channel = channelOf(call);
  const message = streamedMessage(call);
  const added = textOf(call);
  if (added === '') throw new ApiError('no_text');
  grow(message, added);
  world.change(message, {}, { edited: false });
  return { channel: channel.id, ts: message.ts };
};

/** https://docs.slack.dev/reference/methods/chat.stopStream */
const stop = (call: Call) => {
  const { world, app, params, rates } = call;
  rates.count(app, 'chat.stopStream', 2);
  const channel = channelOf(call);
  const message = streamedMessage(call);
  const blocks = checkBlocks(params.list('blocks', 'invalid_blocks_format') ?? [], world.limits);
  grow(message, textOf(call));
  message.stream = { state: 'completed', startedAt: message.stream?.startedAt ?? world.now() };
  world.change(message, { blocks: [...message.blocks, ...blocks] }, { edited: false });
  return { channel: channel.id, ts: message.ts, message: { text: message.text } };
};

function streamedMessage(call: Call): Message {
  const message = ownMessageOf(call, channelOf(call), 'message_not_owned_by_app');
  if (message.stream?.state !== 'in_progress' || isExpired(call, message)) {
    throw new ApiError('message_not_in_streaming_state');
  }
  return message;
}

function grow(message: Message, added: string): void {
  if (added === '') return;
  message.text += added;
  const others = message.blocks.filter(({ type }): boolean => type !== 'markdown');
  message.blocks = [{ type: 'markdown', text: message.text } as Block, ...others];
}

/** What is added: `markdown_text`, or the text of the chunks. */
function textOf({ world, params }: Call): string {
  const chunks = params.list('chunks', 'invalid_chunks') ?? [];
  const inChunks = chunks.filter(({ type }) => type === 'markdown_text').map(({ text }) => String(text));
  const text = [params.string('markdown_text') ?? '', ...inChunks].join('');
  if (text.length > world.limits.markdownChars) throw new ApiError('msg_too_long');
  return text;
}

export const streamMethods: Readonly<Record<string, Method>> = {
  'chat.startStream': { scopes: WRITE, run: start },
  'chat.appendStream': { scopes: WRITE, run: append },
  'chat.stopStream': { scopes: WRITE, run: stop },
};
