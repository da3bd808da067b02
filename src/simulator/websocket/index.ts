import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketConnection, type WebSocketHandlers } from './connection.ts';

export type { WebSocketHandlers } from './connection.ts';
export { WebSocketConnection } from './connection.ts';

/** RFC 6455, section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Answers the handshake of a request that a node server has emitted as `upgrade`, without extensions.
 *
 * @example
 * server.on('upgrade', (request, socket, head) => {
 *   const connection = acceptWebSocket(request, socket, head, { message: (data) => connection.send(data) });
 * });
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  handlers: WebSocketHandlers,
): WebSocketConnection {
  const key = request.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  const connection = new WebSocketConnection(socket, handlers);
  if (head.length > 0) connection.receive(head);
  return connection;
}

/** Refuses a handshake with an HTTP status, e.g. 403. */
export function refuseWebSocket(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
