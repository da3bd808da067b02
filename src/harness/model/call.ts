import { AntlerError } from '../../base/errors.ts';
import { adapt, hasImages, refusesImages, requestBody } from './adapt.ts';
import { readBody } from './body.ts';
import { readChunk } from './chunk.ts';
import type { Endpoint } from './endpoint.ts';
import { modelError, modelName } from './errors.ts';
import { AFTER_FINISH_MS } from './limits.ts';
import type { ModelReply, ModelRequest, TextSink } from './port.ts';
import { ModelRefusal } from './refusal.ts';
import { ReplyAssembler } from './reply.ts';
import { Watch } from './watch.ts';

/**
 * Makes one call and streams its text into `sink`. Sends the request a second time only where the endpoint has refused
 * an optional part of it.
 * @throws AntlerError; what `sink` got until then is a broken-off answer.
 */
export async function callModel(
  endpoint: Endpoint,
  request: ModelRequest,
  sink: TextSink,
  newCallId: (position: number) => string,
): Promise<ModelReply> {
  const { model, signal } = request;
  using watch = new Watch(model.idleTimeoutMs, model.totalTimeoutMs, signal);
  const reply = new ReplyAssembler(sink, endpoint.beginsInThought);
  let finished = false;
  let blind = false;
  try {
    const sent = await send(endpoint, request, watch);
    blind = sent.blind;
    const done = await readBody(sent.response, {
      onBytes: () => watch.touch(),
      onJson: (json, event) => {
        reply.add(readChunk(json, event));
        if (finished || !reply.isMarkedEnded) return;
        finished = true;
        watch.shortenIdle(Math.min(AFTER_FINISH_MS, model.idleTimeoutMs));
      },
    });
    if (!endpoint.endedWhole(done || reply.isMarkedEnded))
      throw new AntlerError('stream_broken', 'the answer ended before its end', { retryable: true });
  } catch (thrown) {
    // Silence or a closed line after the finish reason takes nothing from the answer.
    const isWhole = finished && !signal.aborted && watch.expired !== 'total' && !(thrown instanceof ModelRefusal);
    if (!isWhole) {
      reply.breakOff();
      throw failure(thrown, request, watch, reply);
    }
  }
  const { beganInThought, ...answer } = reply.finish(model.name, newCallId);
  // The last whole answer decides: any model may happen to write a closing tag, once or because somebody asks it to.
  if (beganInThought !== null) endpoint.beginsInThought = beganInThought;
  return blind ? { ...answer, blind } : answer;
}

interface Sent {
  readonly response: Response;
  /** Without the images that the request holds. */
  readonly blind: boolean;
}

async function send(endpoint: Endpoint, request: ModelRequest, watch: Watch): Promise<Sent> {
  let blind = hasImages(request) && endpoint.refuses.has('images');
  for (;;) {
    try {
      const response = await endpoint.post(requestBody(endpoint, request, blind), watch.signal);
      watch.touch();
      return { response, blind };
    } catch (thrown) {
      if (!(thrown instanceof ModelRefusal)) throw thrown;
      const refused = !blind && refusesImages(endpoint, request, thrown);
      if (refused) blind = true;
      else if (adapt(endpoint, request, thrown) === null) throw thrown;
    }
  }
}

function failure(thrown: unknown, request: ModelRequest, watch: Watch, reply: ReplyAssembler): AntlerError {
  const { model, signal } = request;
  if (signal.aborted) return new AntlerError('cancelled', 'stopped');
  if (watch.expired !== null) {
    const limit = watch.expired === 'idle' ? model.idleTimeoutMs : model.totalTimeoutMs;
    const what = watch.expired === 'idle' ? 'no byte' : 'no end of the answer';
    return new AntlerError('timeout', `${modelName(model)}: ${what} within ${limit} ms`, { retryable: true });
  }
  if (thrown instanceof AntlerError)
    return new AntlerError(thrown.code, `${modelName(model)}: ${thrown.message}`, { retryable: thrown.retryable });
  const error = modelError(model, thrown);
  // A connection that fails once the answer has begun is a broken answer, not an unreachable endpoint.
  return reply.hasBegun && error.code === 'unavailable' && !(thrown instanceof ModelRefusal)
    ? new AntlerError('stream_broken', `${modelName(model)}: the connection broke in the answer`, { retryable: true })
    : error;
}
