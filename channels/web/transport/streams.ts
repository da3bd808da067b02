import { failureResponse } from '../../../src/base/http.ts';
import { limits } from '../limits.ts';

/** One server-sent event. `id` comes back as `Last-Event-ID` when the page connects again. */
export interface ServerEvent {
  readonly event: 'sync' | 'message' | 'edit' | 'typing';
  readonly data: unknown;
  readonly id?: number;
}

/** The open pages of this replica. */
export interface Streams {
  /**
   * Opens a page's stream. What is emitted while `first` is still being made waits and follows it, so that nothing
   * falls between reading the history and listening.
   */
  open(chat: string, first: () => Promise<ServerEvent>): Response;
  /** Is anybody looking at this chat here? */
  watched(chat: string): boolean;
  emit(chat: string, event: ServerEvent): void;
  /** Keeps silent connections alive through proxies. */
  beat(): void;
  /** From now on pages may connect. */
  begin(): void;
  /** Closes every stream and opens none any more. */
  end(): void;
}

interface Stream {
  readonly chat: string;
  write(chunk: string): void;
  close(): void;
}

export function createStreams(): Streams {
  const streams = new Set<Stream>();
  let open = false;
  return {
    open: (chat, first) => {
      if (!open) return failureResponse(503, 'unavailable', 'The chat is not running.');
      if (streams.size >= limits.maxStreams)
        return failureResponse(503, 'unavailable', `There are ${limits.maxStreams} open pages already.`);
      return new Response(streamOf(chat, first, streams), {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          // nginx would collect the stream otherwise.
          'x-accel-buffering': 'no',
        },
      });
    },
    watched: (chat) => [...streams].some((stream) => stream.chat === chat),
    emit: (chat, event) => {
      const chunk = encodeEvent(event);
      for (const stream of streams) if (stream.chat === chat) stream.write(chunk);
    },
    beat: () => {
      for (const stream of streams) stream.write(': still here\n\n');
    },
    begin: () => {
      open = true;
    },
    end: () => {
      open = false;
      for (const stream of streams) stream.close();
    },
  };
}

export function encodeEvent({ event, data, id }: ServerEvent): string {
  const lines = [`event: ${event}`, `data: ${JSON.stringify(data)}`];
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join('\n')}\n\n`;
}

function streamOf(chat: string, first: () => Promise<ServerEvent>, streams: Set<Stream>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let held: string[] | null = [];
  let stream: Stream;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const write = (chunk: string): void => {
          controller.enqueue(encoder.encode(chunk));
          if ((controller.desiredSize ?? 0) < 0) stream.close();
        };
        stream = {
          chat,
          write: (chunk) => (held === null ? write(chunk) : held.push(chunk)),
          close: () => {
            if (streams.delete(stream)) controller.close();
          },
        };
        streams.add(stream);
        write(`retry: ${limits.reconnectMs}\n\n`);
        first().then(
          (event) => {
            const waiting = held ?? [];
            held = null;
            for (const chunk of [encodeEvent(event), ...waiting]) if (streams.has(stream)) write(chunk);
          },
          // The page connects again and asks anew.
          () => stream.close(),
        );
      },
      cancel: () => {
        streams.delete(stream);
      },
    },
    { highWaterMark: limits.maxLagBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
