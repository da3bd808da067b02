import { AntlerError } from '../../../src/base/errors.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';

/** Resolves when a WebSocket can be opened there; it is closed again without a word. */
export async function reach(url: string, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url);
  const fail = (): void =>
    reject(new AntlerError('unavailable', 'WeCom’s long connection cannot be reached at ws_url.', { retryable: true }));
  const timer = setTimeout(fail, CONNECT_TIMEOUT_MS);
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('error', fail);
  signal?.addEventListener('abort', fail, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', fail);
    socket.close();
  }
}
