import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError, asAntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { ChannelState, Document, SendOptions, SentMessage, Target } from '../../../src/channel/port.ts';
import type { SlackApi } from '../api.ts';
import { buttonBlocks } from '../buttons.ts';
import { reasonOf } from '../errors.ts';
import type { Threads } from '../threads.ts';
import type { Attempts } from './attempts.ts';
import { type Body, bodyOf } from './body.ts';
import { inThread } from './in-thread.ts';
import { lookTwice } from './look-twice.ts';
import type { Lookup } from './lookup.ts';
import type { Responses } from './respond.ts';
import { isStream, type Streams, tsOf } from './stream.ts';

export interface Sending {
  readonly api: SlackApi;
  readonly state: ChannelState;
  readonly streams: Streams;
  readonly threads: Threads;
  readonly responses: Responses;
  readonly lookup: Lookup;
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends one message, as a stream if it is going to grow and Slack streams there. */
export async function sendMessage(
  parts: Sending,
  target: Target,
  document: Document,
  options: SendOptions,
): Promise<SentMessage> {
  const { streams, state, threads, log } = parts;
  // Known before the message can be seen: somebody may go on the moment it is.
  const joined = threads.join(target).catch((error: unknown) => {
    log.warn({ err: error }, 'it could not be kept that the bot takes part in a thread');
  });
  const streamed =
    options.draft === true && options.plain !== true ? await streams.start(target, document.markdown) : undefined;
  const id = streamed ?? (await post(parts, target, await bodyOf(document, options, state), options));
  await joined;
  return { id };
}

async function post(parts: Sending, target: Target, body: Body, options: SendOptions): Promise<string> {
  const { api, responses, lookup, attempts, clock } = parts;
  const { chat } = target;
  // A stand of a growing answer is not sent again when its sending fails; the final text is.
  const isKept = options.draft !== true;
  // Of its own for the stand: it must not be taken for the final text when that is looked up.
  const key = isKept ? options.key : `${options.key}/draft`;
  const args = {
    ...{ channel: chat, ...body, metadata: lookup.markOf(key) },
    ...(options.plain === true ? { mrkdwn: false } : {}),
    // Previews wait for the finished text: while it grows they would come, change and push the text about.
    ...(options.draft === true ? { unfurl_links: false, unfurl_media: false } : {}),
  };
  const call = async (thread: string | undefined): Promise<string> => {
    const place = thread === undefined ? {} : { thread_ts: thread };
    const answer = await api.call('chat.postMessage', { ...args, ...place }, { signal: options.signal });
    const ts = Reflect.get(Object(answer), 'ts');
    // It was accepted, so sending it again would say it twice.
    if (typeof ts !== 'string') throw new AntlerError('uncertain', 'Slack’s answer names no message.');
    return ts;
  };
  if (isKept && (await attempts.begin(key))) {
    const arrived = await inThread(target, (where) => lookup.look(where, key)).catch(stillUncertain);
    if (arrived !== undefined) return arrived;
  }
  try {
    return await inThread(target, ({ topic }) => call(topic));
  } catch (error) {
    if (asAntlerError(error).code === 'uncertain') {
      const arrived = await lookTwice(() => lookup.look(target, key), clock);
      if (arrived !== undefined) return arrived;
      throw error;
    }
    if (!isKept) throw error;
    await attempts.failed(key).catch(() => {}); // then it is looked up once too often
    const answered = await responses.answer(error, target, body.text);
    if (answered === undefined) throw error;
    return answered;
  }
}

/** It may be there already, so that it must not be sent: whoever asks has to ask again later. */
function stillUncertain(error: unknown): never {
  const { code, message } = asAntlerError(error);
  if (code === 'uncertain' || code === 'forbidden') throw new AntlerError('uncertain', message, { cause: error });
  throw error;
}

/** Replaces the text of a message; of a growing one, adds what is new or ends it. */
export async function editMessage(
  { api, state, streams }: Sending,
  target: Target,
  id: string,
  document: Document,
  options: SendOptions,
): Promise<void> {
  if (isStream(id) && (await showInStream(streams, state, target, id, document, options))) return;
  const { chat } = target;
  const args = { channel: chat, ts: tsOf(id), ...(await bodyOf(document, options, state)) };
  const update = (): Promise<unknown> => api.call('chat.update', args, { signal: options.signal, idempotent: true });
  try {
    await update();
  } catch (error) {
    // Its end got lost on the way, so that it still streams.
    if (reasonOf(error) !== 'streaming_state_conflict') throw error;
    await streams.end(chat, tsOf(id));
    await update();
  }
}

async function showInStream(
  streams: Streams,
  state: ChannelState,
  target: Target,
  id: string,
  { markdown, buttons }: Document,
  { plain, draft }: SendOptions,
): Promise<boolean> {
  if (plain === true) {
    await streams.abandon(target, id);
    return false;
  }
  if (draft === true) return streams.grow(target, id, markdown);
  const blocks = buttons === undefined || buttons.length === 0 ? [] : await buttonBlocks(buttons, state);
  return streams.finish(target, id, markdown, blocks);
}

/** Takes a message away; one that is gone already is as good as deleted. */
export async function deleteMessage({ api, streams }: Sending, target: Target, id: string): Promise<void> {
  if (isStream(id)) await streams.abandon(target, id);
  try {
    await api.call('chat.delete', { channel: target.chat, ts: tsOf(id) }, { idempotent: true });
  } catch (error) {
    if (reasonOf(error) !== 'message_not_found') throw error;
  }
}
