import { Writable } from 'node:stream';

/**
 * Takes a command's output of any length and keeps its beginning and its end: as much memory as is kept, whatever
 * comes. `onFlood` is called once when there is no end to it.
 */
export class CappedOutput extends Writable {
  readonly #maxHead: number;
  readonly #maxTail: number;
  readonly #floodBytes: number;
  readonly #onFlood: () => void;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(maxBytes: number, floodBytes: number, onFlood: () => void) {
    super();
    this.#maxHead = Math.ceil(maxBytes / 2);
    this.#maxTail = maxBytes - this.#maxHead;
    this.#floodBytes = floodBytes;
    this.#onFlood = onFlood;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const before = this.#total;
    this.#total += chunk.byteLength;
    const forHead = chunk.subarray(0, this.#maxHead - this.#headBytes);
    if (forHead.byteLength > 0) {
      this.#head.push(Buffer.from(forHead)); // a copy: the piece itself belongs to a larger buffer
      this.#headBytes += forHead.byteLength;
    }
    const rest = chunk.subarray(forHead.byteLength);
    if (rest.byteLength > 0) this.#keepEnd(rest.subarray(Math.max(0, rest.byteLength - this.#maxTail)));
    if (before <= this.#floodBytes && this.#total > this.#floodBytes) this.#onFlood();
    done();
  }

  #keepEnd(piece: Buffer): void {
    this.#tail.push(Buffer.from(piece));
    this.#tailBytes += piece.byteLength;
    // Pieces may be single bytes: they are joined, and what is too much thrown away, in strides.
    if (this.#tailBytes > this.#maxTail * 2 || this.#tail.length > 1_000) this.#joinTail();
  }

  #joinTail(): Buffer {
    const joined = Buffer.concat(this.#tail);
    const kept = Buffer.from(joined.subarray(Math.max(0, joined.byteLength - this.#maxTail)));
    this.#tail = [kept];
    this.#tailBytes = kept.byteLength;
    return kept;
  }

  result(): { readonly output: string; readonly dropped: number } {
    const head = Buffer.concat(this.#head);
    const tail = this.#joinTail();
    const dropped = this.#total - head.byteLength - tail.byteLength;
    const decode = (bytes: Buffer): string => new TextDecoder().decode(bytes);
    if (dropped === 0) return { output: decode(Buffer.concat([head, tail])), dropped };
    return { output: `${decode(head)}\n[… ${dropped} bytes left out …]\n${decode(tail)}`, dropped };
  }
}
