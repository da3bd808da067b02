// @ts-check
import { call } from './api.js';

/** A connection that is back within this time was never gone, in milliseconds. */
const PATIENCE_MS = 1_500;
const RETRY_MS = 3_000;

/**
 * Listens to the server and keeps listening. Each connection begins with `sync`: the newest messages as they are now.
 * @param {object} on
 * @param {(page: { messages: import('./api.js').Message[], more: boolean, gap: boolean }) => void} on.sync
 * @param {(event: { message: import('./api.js').Message, draft: boolean }) => void} on.message
 * @param {(event: { id: string, html: string, draft: boolean }) => void} on.edit
 * @param {(event: { lastsMs: number }) => void} on.typing
 * @param {(connected: boolean) => void} on.state
 */
export function listen(on) {
  /** @type {EventSource} */
  let source;
  let lastId = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let complaint;

  /** @param {MessageEvent} event */
  const read = (event) => {
    if (event.lastEventId !== '') lastId = event.lastEventId;
    return JSON.parse(event.data);
  };

  const connect = () => {
    source = new EventSource(`/api/v1/chat/events${lastId === '' ? '' : `?after=${lastId}`}`);
    source.addEventListener('sync', (event) => {
      clearTimeout(complaint);
      complaint = undefined;
      on.state(true);
      on.sync(read(event));
    });
    source.addEventListener('message', (event) => on.message(read(event)));
    source.addEventListener('edit', (event) => on.edit(read(event)));
    source.addEventListener('typing', (event) => on.typing(read(event)));
    source.addEventListener('error', () => {
      complaint ??= setTimeout(() => on.state(false), PATIENCE_MS);
      // The browser connects again by itself, except after an answer that is no event stream.
      if (source.readyState === EventSource.CLOSED) setTimeout(connectAgain, RETRY_MS);
    });
  };

  const connectAgain = async () => {
    // When the session has ended this call leads to the login.
    await call('GET', '/api/v1/chat/messages?limit=1').catch(() => {});
    connect();
  };

  connect();
  return {
    /** Reads the newest messages anew. */
    again: () => {
      source.close();
      connect();
    },
  };
}
