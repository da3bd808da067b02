import type { IncomingMessage } from 'node:http';
import type { Doorkeeper, PeerSocket } from '../../websocket/index.ts';
import type { Push } from '../events.ts';
import { decodeFrame, encodeFrame, type Frame } from '../frame.ts';
import { type App, isRecord } from '../model.ts';
import type { World } from '../world.ts';
import type { Receipt } from './index.ts';

const SERVICE = 33554678;
const CONTROL = 0;
const DATA = 1;

interface Connection {
  readonly app: App;
  readonly socket: PeerSocket;
  /** It has pinged. What is pushed before, the SDK's client loses: it does not listen yet. */
  joined: boolean;
  /** By the id of the pushed message. */
  readonly acks: Map<string, (receipt: Receipt) => void>;
}

/** How the next events are handed over, for tests. */
export interface Mischief {
  /** Fragments come in reverse order. */
  reverseFragments: boolean;
  /** The last fragment of the next event is left out. */
  loseFragment: boolean;
  /** Pings are not answered. */
  deaf: boolean;
}

/** The long connections: apps get an address with a ticket, join, and are pushed events, each to one of them by chance. */
export class LongConnections {
  readonly #world: World;
  readonly #open = new Set<Connection>();
  readonly #tickets = new Map<string, App>();
  readonly mischief: Mischief = { reverseFragments: false, loseFragment: false, deaf: false };
  /** What clients are told to do. */
  config = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 120, ReconnectNonce: 30 };
  onJoin: (app: App) => void = () => {};
  #pushed = 0;

  constructor(world: World) {
    this.#world = world;
  }

  count(app: App): number {
    return [...this.#open].filter((connection) => connection.app === app).length;
  }

  /** The answer to a request for an address. */
  endpoint(host: string, body: unknown): object {
    const { AppID: appId, AppSecret: secret } = isRecord(body) ? body : {};
    const app = this.#world.apps.find((candidate) => candidate.appId === appId && candidate.secret === secret);
    if (app === undefined) return { code: 514, msg: 'authenticate failed', data: {} };
    if (this.count(app) >= this.#world.limits.maxConnections) {
      return { code: 1000040350, msg: 'the number of connections exceeded the limit', data: {} };
    }
    const ticket = this.#world.id('ticket');
    this.#tickets.set(ticket, app);
    const query = new URLSearchParams({ device_id: '1', service_id: String(SERVICE), access_key: 'k', ticket });
    return { code: 0, msg: '', data: { URL: `ws://${host}/ws/v2?${query}`, ClientConfig: this.config } };
  }

  readonly doorkeeper: Doorkeeper = (request: IncomingMessage) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const ticket = url.searchParams.get('ticket') ?? '';
    const app = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    if (url.pathname !== '/ws/v2' || app === undefined) return 403;
    return (socket) => {
      const connection: Connection = { app, socket, joined: false, acks: new Map() };
      this.#open.add(connection);
      socket.onClose = () => {
        this.#open.delete(connection);
        for (const settle of connection.acks.values()) settle({ kind: 'failed', reason: 'the connection broke' });
      };
      socket.onMessage = (data) => this.#read(connection, data);
    };
  };

  /** Undefined when the app has no connection. */
  async deliver(push: Push): Promise<Receipt | undefined> {
    const connections = [...this.#open].filter(({ app, socket, joined }) => app === push.app && joined && socket.open);
    const connection = connections[Math.floor(Math.random() * connections.length)];
    if (connection === undefined) return undefined;
    this.#pushed += 1;
    const messageId = `push-${this.#pushed}`;
    const { promise, resolve } = Promise.withResolvers<Receipt>();
    const timer = setTimeout(() => resolve({ kind: 'failed', reason: 'no answer in time' }), this.#world.limits.ackMs);
    connection.acks.set(messageId, resolve);
    for (const frame of this.#fragments(messageId, push)) connection.socket.send(encodeFrame(frame));
    return promise.finally(() => {
      clearTimeout(timer);
      connection.acks.delete(messageId);
    });
  }

  /** Sends bytes that are no frame of the protocol to every connection of an app. */
  sendGarbage(app: App, data: Uint8Array): void {
    for (const connection of this.#open) if (connection.app === app) connection.socket.send(data);
  }

  dropAll(): void {
    for (const { socket } of this.#open) socket.terminate();
  }

  #fragments(messageId: string, { envelope, id }: Push): Frame[] {
    const payload = Buffer.from(JSON.stringify(envelope));
    const { frameBytes } = this.#world.limits;
    const sum = Math.max(1, Math.ceil(payload.length / frameBytes));
    const frames = Array.from({ length: sum }, (_, seq) => ({
      seqId: BigInt(this.#pushed),
      logId: BigInt(this.#pushed),
      service: SERVICE,
      method: DATA,
      headers: { type: 'event', message_id: messageId, sum: String(sum), seq: String(seq), trace_id: id },
      payload: payload.subarray(seq * frameBytes, (seq + 1) * frameBytes),
    }));
    if (this.mischief.loseFragment && sum > 1) {
      this.mischief.loseFragment = false;
      frames.pop();
    }
    return this.mischief.reverseFragments ? frames.reverse() : frames;
  }

  #read(connection: Connection, data: string | Buffer): void {
    if (typeof data === 'string') return;
    const frame = decodeFrame(data);
    if (frame.method === CONTROL && frame.headers.type === 'ping') {
      if (!connection.joined) {
        connection.joined = true;
        this.onJoin(connection.app);
      }
      if (this.mischief.deaf) return;
      const payload = Buffer.from(JSON.stringify(this.config));
      connection.socket.send(encodeFrame({ ...frame, headers: { type: 'pong' }, payload }));
      return;
    }
    connection.acks.get(frame.headers.message_id ?? '')?.(receiptOf(frame.payload));
  }
}

function receiptOf(payload: Buffer): Receipt {
  const body: unknown = JSON.parse(payload.toString('utf8'));
  if (!isRecord(body) || body.code !== 200) return { kind: 'failed', reason: `answered ${payload.toString('utf8')}` };
  const answer: unknown =
    typeof body.data === 'string' ? JSON.parse(Buffer.from(body.data, 'base64').toString('utf8')) : null;
  return { kind: 'taken', answer };
}
