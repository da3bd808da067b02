/** The frames of RFC 6455, section 5.2, as far as a server without extensions needs them. */
export interface Frame {
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
}

export const OPCODE = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

/** Longer frames are refused; no platform sends any. */
const PAYLOAD_MAX_BYTES = 16 * 1024 * 1024;

/** Writes one whole, unmasked frame, as servers send them. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) {
    head[1] = length;
  } else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Reads frames out of a stream that is cut anywhere. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /**
   * The frames that `chunk` completes.
   * @throws RangeError on a frame that no honest client sends
   */
  push(chunk: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | undefined {
    const bytes = this.#rest;
    if (bytes.length < 2) return undefined;
    const first = bytes.readUInt8(0);
    const second = bytes.readUInt8(1);
    const isMasked = (second & 0x80) !== 0;
    const short = second & 0x7f;
    const lengthEnd = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < lengthEnd) return undefined;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (!isMasked || length > PAYLOAD_MAX_BYTES) throw new RangeError('a frame is not masked or too long');
    const start = lengthEnd + 4;
    if (bytes.length < start + length) return undefined;
    const mask = bytes.subarray(lengthEnd, start);
    const payload = Buffer.from(bytes.subarray(start, start + length));
    for (let at = 0; at < length; at++) payload.writeUInt8(payload.readUInt8(at) ^ mask.readUInt8(at & 3), at);
    this.#rest = bytes.subarray(start + length);
    return { opcode: first & 0x0f, final: (first & 0x80) !== 0, payload };
  }
}
