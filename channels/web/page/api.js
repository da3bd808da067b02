// @ts-check
/**
 * @typedef {{ id: string, seq: number, author: 'person' | 'bot', name: string, at: number, markdown: string, html: string, files: FileView[] }} Message
 * @typedef {{ id: string, name: string, mime: string, bytes: number, image: boolean, url: string }} FileView
 * @typedef {{ model: 'none' | 'configured' | 'demo', name?: string, base_url?: string, source: string, editable: boolean, problem?: string }} Setup
 */

/** The server said no. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {{ reason?: string, suggestion?: string }} [more] What the set-up of the model says besides.
   */
  constructor(status, code, message, more = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/**
 * Calls our API. Rejects with {@link ApiError}, or with whatever `fetch` throws when nobody answers.
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} What the path answers with, which the caller knows.
 */
export async function call(method, path, body) {
  return answerOf(
    await fetch(path, {
      method,
      headers: method === 'POST' ? { 'content-type': 'application/json' } : {},
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    }),
  );
}

/**
 * Hands a file over. Rejects as {@link call} does, or when `signal` aborts.
 * @param {string} path
 * @param {File} file
 * @param {AbortSignal} signal
 */
export async function upload(path, file, signal) {
  const headers = { 'content-type': 'application/octet-stream' };
  return answerOf(await fetch(path, { method: 'PUT', headers, body: file, signal }));
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function answerOf(response) {
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  // The session has ended: the same address now shows the login.
  if (response.status === 401) location.reload();
  throw new ApiError(response.status, answer.error?.code ?? 'internal', answer.error?.message ?? '', answer.error);
}
