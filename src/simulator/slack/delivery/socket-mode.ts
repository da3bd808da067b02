import type { PeerSocket } from '../../websocket/index.ts';
import type { App } from '../model.ts';
import type { Attempt, Handout, Route } from './link.ts';

interface Waiting {
  readonly acknowledged: (response: unknown) => void;
  readonly lost: () => void;
  readonly socket: PeerSocket;
}

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

/**
 * The sockets of one app. An event goes to one of them; while there is none, it waits for one. (The real Slack gives
 * such an event up after its retries; here it is kept, so that tests need not hurry.)
 */
export class SocketMode implements Route {
  readonly #app: App;
  readonly #ackMs: number;
  readonly #most: number;
  readonly #sockets: PeerSocket[] = [];
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #arrivals = new Set<() => void>();
  readonly #stopping: AbortSignal;
  #turn = 0;
  #envelopes = 0;
  /** Envelope ids that were acknowledged, in order. */
  readonly acknowledged: string[] = [];

  constructor(app: App, options: { readonly ackMs: number; readonly most: number; readonly stopping: AbortSignal }) {
    this.#app = app;
    this.#ackMs = options.ackMs;
    this.#most = options.most;
    this.#stopping = options.stopping;
    this.#stopping.addEventListener('abort', () => {
      for (const arrive of this.#arrivals) arrive();
      for (const { lost } of this.#waiting.values()) lost();
    });
  }

  get sockets(): readonly PeerSocket[] {
    return this.#sockets;
  }

  /** A ticket is good for one connection. */
  newTicket(): string {
    const ticket = crypto.randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  useTicket(ticket: string): boolean {
    return this.#tickets.delete(ticket);
  }

  connect(socket: PeerSocket): void {
    if (this.#sockets.length >= this.#most) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      socket.close();
      return;
    }
    this.#sockets.push(socket);
    socket.onMessage = (data) => this.#receive(String(data));
    socket.onClose = () => this.#forget(socket);
    const hello = {
      type: 'hello',
      num_connections: this.#sockets.length,
      connection_info: { app_id: this.#app.id },
      debug_info: {
        host: 'simulator',
        started: new Date().toISOString(),
        build_number: 1,
        approximate_connection_time: 18_060,
      },
    };
    socket.send(JSON.stringify(hello));
    for (const arrive of this.#arrivals) arrive();
  }

  /** Tells the sockets to go, as Slack does every few hours and when Socket Mode is switched off. */
  disconnect(reason: DisconnectReason): void {
    for (const socket of [...this.#sockets]) {
      socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'simulator' } }));
      if (reason !== 'warning') socket.close();
    }
  }

  /** Breaks the sockets without a word. */
  drop(): void {
    for (const socket of [...this.#sockets]) socket.terminate();
  }

  /** Sends something that is no envelope at all. */
  sendRaw(data: string | Uint8Array): void {
    for (const socket of this.#sockets) socket.send(data);
  }

  async attempt(
    handout: Handout,
    retry: { readonly number: number; readonly reason: string } | undefined,
  ): Promise<Attempt> {
    const socket = await this.#next();
    if (socket === undefined) return { kind: 'failed', reason: 'stopped', final: true };
    this.#envelopes += 1;
    const id = `envelope-${this.#envelopes}`;
    const { promise, resolve } = Promise.withResolvers<Attempt>();
    const timer = setTimeout(() => resolve({ kind: 'failed', reason: 'timeout', final: false }), this.#ackMs);
    this.#waiting.set(id, {
      socket,
      acknowledged: (response) => resolve({ kind: 'acknowledged', response }),
      lost: () => resolve({ kind: 'failed', reason: 'connection_failed', final: false }),
    });
    const isEvent = handout.kind === 'events_api';
    socket.send(
      JSON.stringify({
        envelope_id: id,
        payload: handout.body,
        type: handout.kind,
        accepts_response_payload: !isEvent,
        ...(isEvent ? { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' } : {}),
      }),
    );
    const attempt = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return attempt;
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as { envelope_id?: string; payload?: unknown };
    if (message.envelope_id === undefined) return;
    this.acknowledged.push(message.envelope_id);
    this.#waiting.get(message.envelope_id)?.acknowledged(message.payload);
  }

  #forget(socket: PeerSocket): void {
    const index = this.#sockets.indexOf(socket);
    if (index >= 0) this.#sockets.splice(index, 1);
    for (const waiting of this.#waiting.values()) if (waiting.socket === socket) waiting.lost();
  }

  async #next(): Promise<PeerSocket | undefined> {
    while (this.#sockets.length === 0 && !this.#stopping.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#arrivals.add(resolve);
      await promise;
      this.#arrivals.delete(resolve);
    }
    this.#turn += 1;
    return this.#stopping.aborted ? undefined : this.#sockets[this.#turn % this.#sockets.length];
  }
}
