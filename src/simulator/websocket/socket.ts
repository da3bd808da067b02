import type { Duplex } from 'node:stream';
import { encodeFrame, type Frame, FrameReader, OPCODE } from './frame.ts';

/** What came in: text frames as strings, binary frames as bytes. */
export type Incoming = string | Buffer;

/** The server's end of one WebSocket connection. */
export class PeerSocket {
  /** Called for every message; set it before the first `await` of the connection handler. */
  onMessage: (data: Incoming) => void = () => {};
  /** Called once, however the connection ended. */
  onClose: () => void = () => {};
  /** False: pings are swallowed, as by a peer that is half dead. */
  answersPings = true;
  readonly #stream: Duplex;
  readonly #reader = new FrameReader();
  #parts: Buffer[] = [];
  #kind = 0;

  constructor(stream: Duplex, head: Buffer) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#read(chunk));
    stream.on('error', () => stream.destroy());
    stream.on('end', () => stream.destroy());
    stream.on('close', () => this.onClose());
    if (head.length > 0) queueMicrotask(() => this.#read(head));
  }

  get open(): boolean {
    return !this.#stream.destroyed && this.#stream.writable;
  }

  send(data: string | Uint8Array): void {
    if (typeof data === 'string') this.#write(OPCODE.text, Buffer.from(data));
    else this.#write(OPCODE.binary, data);
  }

  ping(data = ''): void {
    this.#write(OPCODE.ping, Buffer.from(data));
  }

  /** Says goodbye, then closes. */
  close(code = 1000, reason = ''): void {
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code);
    payload.write(reason, 2);
    this.#write(OPCODE.close, payload);
    this.#stream.end();
  }

  /** Cuts the connection without a word. */
  terminate(): void {
    this.#stream.destroy();
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (this.open) this.#stream.write(encodeFrame(opcode, payload));
  }

  #read(chunk: Buffer): void {
    for (const frame of this.#reader.push(chunk)) this.#take(frame);
  }

  #take({ final, opcode, payload }: Frame): void {
    switch (opcode) {
      case OPCODE.ping:
        if (this.answersPings) this.#write(OPCODE.pong, payload);
        return;
      case OPCODE.pong:
        return;
      case OPCODE.close:
        this.#write(OPCODE.close, payload.subarray(0, 2));
        this.#stream.end();
        return;
      default:
        if (opcode !== OPCODE.continuation) this.#kind = opcode;
        this.#parts.push(payload);
        if (!final) return;
    }
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.onMessage(this.#kind === OPCODE.text ? whole.toString('utf8') : whole);
  }
}
