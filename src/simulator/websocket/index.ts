import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { PeerSocket } from './socket.ts';

export { PeerSocket } from './socket.ts';

/** Appended to the client's key. https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Decides about a connection: a handler takes it, an HTTP status refuses it. */
export type Doorkeeper = (request: IncomingMessage) => ((socket: PeerSocket) => void) | number;

/**
 * Lets an HTTP server take WebSocket connections too, as the simulated platforms need them: text and binary messages,
 * pings, fragments; no extensions. Connections end with the server's sockets.
 *
 * @example
 * serveWebSockets(server, ({ url }) => (url === '/link' ? (socket) => socket.send('hello') : 404));
 */
export function serveWebSockets(server: Server, doorkeeper: Doorkeeper): void {
  server.on('upgrade', (request: IncomingMessage, stream, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const key = request.headers['sec-websocket-key'];
    const decision = key === undefined ? 400 : doorkeeper(request);
    if (typeof decision === 'number') {
      stream.end(`HTTP/1.1 ${decision} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    decision(new PeerSocket(stream, head));
  });
}
