import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Fetches as `fetchLike` does, but breaks an answer off in which one message is longer than `maxBytes`: the SDK gathers
 * whatever comes, and a server without an end would take all memory there is.
 */
export function boundedFetch(maxBytes: number, fetchLike: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await fetchLike(url, init);
    if (response.body === null) return response;
    // A stream of events stays open, and each event is a message; anything else is one.
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    return new Response(response.body.pipeThrough(bounded(maxBytes, isStream)), response);
  };
}

function bounded(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let lineIsEmpty = false;
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const byte of isStream ? chunk : []) {
        bytes++;
        if (byte === LINE_FEED && lineIsEmpty) bytes = 0; // an event ends with an empty line
        if (byte !== CARRIAGE_RETURN) lineIsEmpty = byte === LINE_FEED;
        if (bytes > maxBytes) break;
      }
      if (!isStream) bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new Error(`a message of more than ${maxBytes} bytes`);
      controller.enqueue(chunk);
    },
  });
}
