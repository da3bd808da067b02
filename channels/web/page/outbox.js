// @ts-check
import { ApiError, call } from './api.js';
import { newId } from './id.js';

/**
 * @typedef {{ id: string, text: string, at: number, files?: readonly import('./attachments.js').Attached[] }} Unsent
 * @typedef {{ kind: 'sending' } | { kind: 'waiting' } | { kind: 'refused', code: string }} UnsentState
 */

const STORAGE_KEY = 'antler.unsent';
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/**
 * What was written but is not with the server yet. It survives a reload, goes out in order, and is sent again under
 * the same id until the server has it, so that nothing is lost and nothing is said twice.
 * @param {object} on
 * @param {(unsent: Unsent, state: UnsentState) => void} on.state
 * @param {(message: import('./api.js').Message) => void} on.sent
 */
export function createOutbox(on) {
  /** @type {(Unsent & { refused?: boolean })[]} */
  let waiting = load();
  let retryMs = FIRST_RETRY_MS;
  let busy = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const keep = () => {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(waiting));
    } catch {
      // Storage may be forbidden or full; then the messages live as long as the page.
    }
  };
  /** @param {string} id */
  const drop = (id) => {
    waiting = waiting.filter((unsent) => unsent.id !== id);
    keep();
  };

  /**
   * @param {Unsent & { refused?: boolean }} unsent
   * @returns {Promise<boolean>} False: try again later.
   */
  const send = async (unsent) => {
    on.state(unsent, { kind: 'sending' });
    try {
      const { message } = await call('POST', '/api/v1/chat/messages', {
        id: unsent.id,
        text: unsent.text,
        files: (unsent.files ?? []).map(({ ref }) => ref),
      });
      drop(unsent.id);
      on.sent(message);
      return true;
    } catch (error) {
      // Only the answer was lost: the server has shown the message meanwhile.
      if (!waiting.includes(unsent)) return true;
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (!refused || [401, 408, 429].includes(error.status)) {
        on.state(unsent, { kind: 'waiting' });
        return false;
      }
      unsent.refused = true;
      keep();
      on.state(unsent, { kind: 'refused', code: error.code });
      return true;
    }
  };

  const flush = async () => {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    for (;;) {
      const next = waiting.find(({ refused }) => !refused);
      if (next === undefined) break;
      if (await send(next)) {
        retryMs = FIRST_RETRY_MS;
        continue;
      }
      timer = setTimeout(flush, retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      break;
    }
    busy = false;
  };

  addEventListener('online', () => void flush());
  for (const unsent of waiting) on.state(unsent, unsent.refused ? { kind: 'refused', code: '' } : { kind: 'waiting' });

  return {
    /**
     * @param {string} text
     * @param {{ id: string, files: readonly import('./attachments.js').Attached[] }} [attached] What was uploaded for it.
     */
    add: (text, attached) => {
      const { id, files } = attached ?? { id: newId(), files: [] };
      waiting.push({ id, text, files, at: Date.now() });
      keep();
      void flush();
    },
    flush,
    /** @param {string} id The server has it, or it shall be forgotten. */
    drop,
  };
}

/** @returns {Unsent[]} */
function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
