import { ApiError } from '../api-error.ts';
import { checkBlocks } from '../blocks.ts';
import type { Block, Message } from '../model.ts';
import { messageToWire } from '../wire.ts';
import { type Call, channelOf, type Method, ownMessageOf, threadOf, writableChannelOf } from './context.ts';

const WRITE = ['chat:write'] as const;

/** https://docs.slack.dev/reference/methods/chat.postMessage */
const postMessage = (call: Call) => {
  const { world, app, params, rates } = call;
  const channel = writableChannelOf(call);
  const content = contentOf(call);
  if (content.text === '' && content.blocks.length === 0 && content.attachments.length === 0)
    throw new ApiError('no_text');
  const threadTs = threadOf(call, channel);
  rates.countPost(app, channel);
  const message = world.post({
    channel,
    user: app.user,
    app,
    ...content,
    text: content.text.slice(0, world.limits.postTextChars),
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(params.json('metadata') === undefined ? {} : { metadata: params.json('metadata') }),
  });
  return { channel: channel.id, ts: message.ts, message: messageToWire(message, world.team.id, world.root) };
};

/** https://docs.slack.dev/reference/methods/chat.update */
const update = (call: Call) => {
  const { world, app, params, rates } = call;
  rates.count(app, 'chat.update', 3);
  const channel = channelOf(call);
  const message = ownMessageOf(call, channel, 'cant_update_message');
  if (message.stream?.state === 'in_progress' && !isExpired(call, message))
    throw new ApiError('streaming_state_conflict');
  const content = contentOf(call);
  if (content.text.length > world.limits.updateTextChars) throw new ApiError('msg_too_long');
  if (content.text === '' && content.blocks.length === 0) throw new ApiError('no_text');
  const clears = params.values.blocks !== undefined || content.blocks.length > 0;
  world.change(message, { text: content.text, ...(clears ? { blocks: content.blocks } : {}) }, { edited: true });
  return {
    channel: channel.id,
    ts: message.ts,
    text: message.text,
    message: messageToWire(message, world.team.id, world.root),
  };
};

/** https://docs.slack.dev/reference/methods/chat.delete */
const remove = (call: Call) => {
  const { world, app, rates } = call;
  rates.count(app, 'chat.delete', 3);
  const channel = channelOf(call);
  const message = ownMessageOf(call, channel, 'cant_delete_message');
  world.remove(message);
  return { channel: channel.id, ts: message.ts };
};

/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
const postEphemeral = (call: Call) => {
  const channel = writableChannelOf(call);
  const to = call.params.required('user', 'user_not_in_channel');
  if (!channel.members.has(to)) throw new ApiError('user_not_in_channel');
  call.world.events.emit({ type: 'ephemeral', channel, to, text: contentOf(call).text });
  return { message_ts: call.world.newTs() };
};

export const isExpired = ({ world }: Call, { stream }: Message): boolean =>
  stream !== undefined && world.now() - stream.startedAt > world.limits.streamLifeMs;

/** What a message is to say: text or Markdown, and blocks. */
function contentOf({
  world,
  params,
}: Call): Pick<Message, 'text' | 'attachments'> & { readonly blocks: readonly Block[] } {
  const markdown = params.string('markdown_text');
  const text = params.string('text') ?? '';
  const blocks = params.list('blocks', 'invalid_blocks_format');
  if (markdown !== undefined) {
    if (text !== '' || blocks !== undefined) throw new ApiError('markdown_text_conflict');
    if (markdown.length > world.limits.markdownChars) throw new ApiError('msg_too_long');
    return { text: markdown, blocks: [{ type: 'markdown', text: markdown }], attachments: [] };
  }
  return {
    text,
    blocks: checkBlocks(blocks ?? [], world.limits),
    attachments: params.list('attachments', 'invalid_attachments') ?? [],
  };
}

export const chatMethods: Readonly<Record<string, Method>> = {
  'chat.postMessage': { scopes: WRITE, run: postMessage },
  'chat.update': { scopes: WRITE, run: update },
  'chat.delete': { scopes: WRITE, run: remove },
  'chat.postEphemeral': { scopes: WRITE, run: postEphemeral },
};
