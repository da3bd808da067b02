export interface SseEvent {
  /** The `event:` field; empty when there was none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events as they come in, in pieces cut anywhere. Written here because the SDK's reader hides what
 * we need to see: bytes that only keep the connection alive, bodies that are no event stream at all, and records that
 * are parted by single line ends.
 *
 * Takes LF, CRLF and CR; `data:` with and without a space; several data lines; a byte order mark; comments. A record
 * at the end of the stream counts without its blank line.
 */
export class SseReader {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #started = false;

  /** Takes the next piece and returns the events that it completes. */
  push(piece: string): SseEvent[] {
    this.#rest += this.#started ? piece : piece.replace(/^\ufeff/, '');
    if (piece !== '') this.#started = true;
    const events: SseEvent[] = [];
    let from = 0;
    for (;;) {
      const end = lineEnd(this.#rest, from);
      if (end === null) break;
      this.#line(this.#rest.slice(from, end.at), events);
      from = end.next;
    }
    this.#rest = this.#rest.slice(from);
    return events;
  }

  /** The stream has ended: returns what it ended in the middle of. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    if (this.#rest !== '') this.#line(this.#rest.replace(/\r$/, ''), events);
    this.#rest = '';
    this.#line('', events);
    return events;
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
  }
}

function lineEnd(text: string, from: number): { readonly at: number; readonly next: number } | null {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x0a) return { at, next: at + 1 };
    if (char !== 0x0d) continue;
    // A CR at the very end may be the first half of a CRLF: wait for more.
    if (at + 1 === text.length) return null;
    return { at, next: text.charCodeAt(at + 1) === 0x0a ? at + 2 : at + 1 };
  }
  return null;
}
