import { AntlerError } from '../../base/errors.ts';
import { LINGER_MS, MAX_BODY_CHARS } from './limits.ts';
import { SseReader } from './sse.ts';

export interface BodyListener {
  /** Bytes have come, of whatever kind. */
  onBytes(): void;
  onJson(json: unknown, event: string): void;
}

/**
 * Reads an answer's body, whatever it turns out to be: an event stream, lines of JSON, or one JSON document although
 * a stream was asked for. The first character decides, since endpoints mislabel their answers. True: it was ended by
 * `[DONE]` or is a whole document.
 *
 * @throws AntlerError `not_found` for a web page, `stream_broken` for what cannot be read.
 */
export async function readBody(response: Response, listener: BodyListener): Promise<boolean> {
  if (response.body === null) return false;
  const reader = response.body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let parser: EventParser | DocumentParser | null = null;
  let start = '';
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (!done) listener.onBytes();
      if (parser === null) {
        start += text;
        parser = chooseParser(start, listener);
        isDone = parser?.push(start) ?? false;
      } else isDone = parser.push(text);
      if (isDone) return true;
      if (done) return parser?.end() ?? false;
    }
  } finally {
    // Not awaited: an endpoint that keeps the line open must not keep us.
    void (isDone ? letEnd(reader) : cancel(reader));
  }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

async function cancel(reader: BodyReader): Promise<void> {
  await reader.cancel().catch(() => {});
}

/** Behind `[DONE]` comes the end of the body; a connection that got that far can be used again, a cut one cannot. */
async function letEnd(reader: BodyReader): Promise<void> {
  const timer = setTimeout(() => void cancel(reader), LINGER_MS).unref();
  try {
    while (!(await reader.read()).done);
  } catch {
    // Whatever happens to the connection now, the answer is whole.
  } finally {
    clearTimeout(timer);
  }
}

function chooseParser(start: string, listener: BodyListener): EventParser | DocumentParser | null {
  const first = start.replace(/^\ufeff/, '').trimStart()[0];
  if (first === undefined) return null;
  if (first === '<') throw new AntlerError('not_found', 'a web page came instead of an answer');
  return first === '{' || first === '[' ? new DocumentParser(listener) : new EventParser(listener);
}

class EventParser {
  readonly #listener: BodyListener;
  readonly #reader = new SseReader();
  #events = 0;

  constructor(listener: BodyListener) {
    this.#listener = listener;
  }

  /** True: the stream has said that it is done. */
  push(text: string): boolean {
    return this.#reader.push(text).some(({ event, data }) => this.#take(event, data));
  }

  end(): boolean {
    const done = this.#reader.end().some(({ event, data }) => this.#take(event, data));
    if (this.#events === 0) throw new AntlerError('stream_broken', 'the answer holds no events', { retryable: true });
    return done;
  }

  #take(event: string, data: string): boolean {
    this.#events++;
    const text = data.trim();
    if (text === '[DONE]') return true;
    // Some keep the line alive with `data: ping` or an empty record.
    if (text[0] !== '{') {
      if (event === 'error') this.#listener.onJson({ error: { message: text } }, event);
      return false;
    }
    const whole = parse(text);
    if (whole !== undefined) {
      this.#listener.onJson(whole, event);
      return false;
    }
    // Records that are parted by single line ends arrive as one.
    for (const line of text.split('\n')) {
      if (line.trim() === '[DONE]') return true;
      const json = parse(line);
      if (json === undefined) throw unreadable();
      this.#listener.onJson(json, event);
    }
    return false;
  }
}

class DocumentParser {
  readonly #listener: BodyListener;
  #text = '';

  constructor(listener: BodyListener) {
    this.#listener = listener;
  }

  push(text: string): boolean {
    this.#text += text;
    if (this.#text.length > MAX_BODY_CHARS) throw unreadable();
    return false;
  }

  end(): boolean {
    const text = this.#text.replace(/^\ufeff/, '');
    const whole = parse(text);
    if (whole !== undefined) {
      this.#listener.onJson(Array.isArray(whole) ? whole[0] : whole, '');
      return true;
    }
    for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
      const json = parse(line);
      if (json === undefined) throw unreadable();
      this.#listener.onJson(json, '');
    }
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(): AntlerError {
  return new AntlerError('stream_broken', 'the answer cannot be read', { retryable: true });
}
