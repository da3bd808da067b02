/** One frame of a WebSocket connection, unmasked. https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
export interface Frame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame as a server sends it: whole and without a mask. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
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

/** Puts frames together from bytes that come in any pieces. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);

  /** The frames that are complete now. */
  push(chunk: Buffer): Frame[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.#take(); frame !== undefined; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): Frame | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const first = bytes.readUInt8(0);
    const second = bytes.readUInt8(1);
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskAt = 2 + lengthBytes;
    const isMasked = (second & 0x80) !== 0;
    const payloadAt = maskAt + (isMasked ? 4 : 0);
    if (bytes.length < payloadAt) return undefined;
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < payloadAt + length) return undefined;
    const payload = Buffer.from(bytes.subarray(payloadAt, payloadAt + length));
    if (isMasked) {
      const mask = bytes.subarray(maskAt, payloadAt);
      for (let index = 0; index < length; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
    }
    this.#bytes = bytes.subarray(payloadAt + length);
    return { final: (first & 0x80) !== 0, opcode: first & 0x0f, payload };
  }
}
