import type { Duplex } from 'node:stream';
import { encodeFrame, FrameReader, OPCODE } from './frames.ts';

/** What the server does with what a client sends. */
export interface WebSocketHandlers {
  /** A whole message: a string when it was sent as text. */
  readonly message?: (data: string | Buffer) => void;
  /** The connection is over, however it ended. Called once. */
  readonly closed?: (code: number) => void;
}

/** The close code that stands for a connection which broke without a close frame. RFC 6455, section 7.1.5. */
const BROKEN = 1006;

/** One WebSocket, seen from the server. Pings and closes are answered as the protocol demands, unless it is muted. */
export class WebSocketConnection {
  readonly #socket: Duplex;
  readonly #handlers: WebSocketHandlers;
  readonly #reader = new FrameReader();
  #parts: Buffer[] = [];
  #partsAreText = false;
  #code = BROKEN;
  #closeSent = false;
  #muted = false;
  #ended = false;

  constructor(socket: Duplex, handlers: WebSocketHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', () => {}); // `close` follows
    socket.on('close', () => this.#over());
    socket.on('end', () => socket.destroy());
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#closeSent;
  }

  /** Text as text, bytes as binary. Nothing happens once the connection is over. */
  send(data: string | Uint8Array): void {
    if (!this.isOpen) return;
    const isText = typeof data === 'string';
    this.#write(isText ? OPCODE.text : OPCODE.binary, isText ? Buffer.from(data) : Buffer.from(data));
  }

  ping(payload = ''): void {
    if (this.isOpen) this.#write(OPCODE.ping, Buffer.from(payload));
  }

  /** Begins the closing handshake; the connection is over when the client answers. */
  close(code = 1000, reason = ''): void {
    if (!this.isOpen) return;
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code, 0);
    payload.write(reason, 2);
    this.#closeSent = true;
    this.#code = code;
    this.#write(OPCODE.close, payload);
  }

  /** Breaks the connection without a word, as a network does. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** From now on nothing is answered and nothing is said, while the connection stays open: a half-open peer. */
  mute(): void {
    this.#muted = true;
  }

  /** Takes in bytes that the client has sent. */
  receive(chunk: Buffer): void {
    if (this.#muted) return;
    try {
      for (const frame of this.#reader.push(chunk)) this.#take(frame.opcode, frame.final, frame.payload);
    } catch {
      this.destroy(); // not a client that one can talk to
    }
  }

  #take(opcode: number, final: boolean, payload: Buffer): void {
    switch (opcode) {
      case OPCODE.ping:
        this.#write(OPCODE.pong, payload);
        return;
      case OPCODE.pong:
        return;
      case OPCODE.close:
        if (!this.#closeSent) {
          this.#closeSent = true;
          this.#code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
          this.#write(OPCODE.close, payload);
        }
        this.#socket.end();
        return;
      default:
        this.#collect(opcode, final, payload);
    }
  }

  #collect(opcode: number, final: boolean, payload: Buffer): void {
    if (opcode !== OPCODE.continuation) {
      this.#parts = [];
      this.#partsAreText = opcode === OPCODE.text;
    }
    this.#parts.push(payload);
    if (!final) return;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#handlers.message?.(this.#partsAreText ? whole.toString('utf8') : whole);
  }

  #write(opcode: number, payload: Buffer): void {
    if (!this.#muted && this.#socket.writable) this.#socket.write(encodeFrame(opcode, payload));
  }

  #over(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#handlers.closed?.(this.#code);
  }
}
