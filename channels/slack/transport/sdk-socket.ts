import type { SocketModeReceiver, webApi } from '@slack/bolt';
import { PING_TIMEOUT_MS, PONG_TIMEOUT_MS } from '../limits.ts';

export type ClientOptions = Omit<webApi.WebClientOptions, 'logLevel'>;

/** One connection of the SDK's Socket Mode client: it fetches the address, dials, and keeps up the heartbeat. */
export interface SocketSdk {
  onMessage(listener: (text: string) => void): void;
  /** Once, however the connection ended. */
  onClosed(listener: () => void): void;
  /** Resolves after {@link greeted}; rejects when there is no connection. */
  start(): Promise<unknown>;
  /** To be called when Slack has said hello. */
  greeted(): void;
  /** False when it could not be written. */
  send(text: string): boolean;
  /** Closes at once, without waiting for the other side. */
  destroy(): void;
}

export interface SocketOptions {
  readonly appToken: string;
  readonly clientOptions: ClientOptions;
  readonly logger: NonNullable<webApi.WebClientOptions['logger']>;
}

const CLOSED = 3;

/**
 * The SDK's client without its own reading of messages: that throws, unhandled, on an envelope without an event, does
 * not tell why Slack wants the connection closed, and Bolt acknowledges before anybody has stored the event.
 */
export function openSocket(
  sdk: { readonly SocketModeReceiver: typeof SocketModeReceiver },
  { appToken, clientOptions, logger }: SocketOptions,
): SocketSdk {
  const { client } = new sdk.SocketModeReceiver({
    appToken,
    logger,
    autoReconnectEnabled: false,
    serverPingTimeout: PING_TIMEOUT_MS,
    clientPingTimeout: PONG_TIMEOUT_MS,
    installerOptions: { clientOptions },
  });
  client.removeAllListeners('ws_message');
  client.removeAllListeners('slack_event');
  return {
    onMessage: (listener) => {
      client.on('ws_message', (data: unknown, isBinary: boolean) => {
        if (!isBinary) listener(String(data));
      });
    },
    onClosed: (listener) => void client.once('close', listener),
    start: () => client.start(),
    greeted: () => void client.emit('connected'),
    send: (text) => {
      const socket = client.websocket;
      if (socket === undefined || !socket.isActive()) return false;
      let failed = false;
      socket.send(text, (error) => {
        failed = error !== undefined;
      });
      return !failed;
    },
    destroy: () => {
      const socket = client.websocket;
      socket?.disconnect();
      // A second time means: do not wait for the other side's farewell.
      if (socket?.readyState !== undefined && socket.readyState !== CLOSED) socket.disconnect();
      // The first may have closed it at once, as while it still connects; the timer for the farewell would stay.
      if (socket !== undefined) clearTimeout(Reflect.get(socket, 'closeHandshakeTimeout'));
    },
  };
}
