export interface ReadEvent {
  /** `comment` for a line that browsers skip. */
  readonly event: string;
  readonly data: unknown;
  readonly id: string | undefined;
}

/** Reads server-sent events one by one, as a browser does. */
export interface EventReader {
  /** Null: the stream has ended. */
  next(): Promise<ReadEvent | null>;
  cancel(): Promise<void>;
}

export function readEvents(response: Response | null): EventReader {
  if (response?.body == null) throw new Error('no stream');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          const read = parseBlock(block);
          if (read !== null) return read;
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return null;
        text += decoder.decode(value, { stream: true });
      }
    },
    cancel: () => reader.cancel(),
  };
}

function parseBlock(block: string): ReadEvent | null {
  if (block.startsWith(':')) return { event: 'comment', data: block, id: undefined };
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const data = field('data');
  // `retry:` alone is for the browser.
  return data === undefined ? null : { event: field('event') ?? 'message', data: JSON.parse(data), id: field('id') };
}
