// @ts-check
import { ApiError, upload } from './api.js';
import { announce, button, byId, element, text } from './dom.js';
import { sizeOf } from './files.js';
import { newId } from './id.js';

/** As many as the server takes with one message. */
const MAX_FILES = 10;

/**
 * @typedef {{ ref: string, name: string, bytes: number }} Attached
 * @typedef {{ state: 'uploading' | 'ready' | 'failed', row: HTMLLIElement, label: HTMLElement, stop: AbortController }} Progress
 * @typedef {Attached & Progress} Attachment
 */

/**
 * Files that will go with the message which is being written: chosen, pasted or dropped, and uploaded at once.
 * @param {{ onChange: () => void }} on
 */
export function createAttachments({ onChange }) {
  const tray = byId('tray', HTMLUListElement);
  const chooser = byId('files', HTMLInputElement);
  /** @type {Attachment[]} */
  let attached = [];
  let message = newId();

  const settle = () => {
    tray.hidden = attached.length === 0;
    onChange();
  };
  /** @param {Attachment} one */
  const remove = (one) => {
    one.stop.abort();
    one.row.remove();
    attached = attached.filter((other) => other !== one);
    settle();
  };
  /**
   * @param {Attached} file
   * @param {'uploading' | 'ready'} state
   * @returns {Attachment}
   */
  const put = (file, state) => {
    const label = element('span', 'file-size', state === 'ready' ? sizeOf(file.bytes) : text('uploading'));
    const drop = button('×', 'link', () => remove(one));
    drop.setAttribute('aria-label', text('removeFile', { name: file.name }));
    const row = element('li', 'file', element('span', 'file-name', file.name), label, drop);
    const one = { ...file, state, row, label, stop: new AbortController() };
    attached.push(one);
    tray.append(row);
    return one;
  };
  /**
   * @param {Attachment} one
   * @param {File} file
   */
  const send = async (one, file) => {
    const query = new URLSearchParams({ name: file.name, mime: file.type });
    try {
      await upload(`/api/v1/chat/messages/${message}/files/${one.ref}?${query}`, file, one.stop.signal);
      one.state = 'ready';
      one.label.textContent = sizeOf(file.size);
    } catch (error) {
      if (one.stop.signal.aborted) return;
      one.state = 'failed';
      one.row.classList.add('failed');
      const isTooLarge = error instanceof ApiError && error.code === 'too_large';
      one.label.textContent = text(isTooLarge ? 'fileTooLarge' : file.size === 0 ? 'fileEmpty' : 'uploadFailed');
      announce(`${file.name}: ${one.label.textContent}`);
    }
    settle();
  };
  /** @param {Iterable<File>} files */
  const add = (files) => {
    for (const file of files) {
      if (attached.length >= MAX_FILES) {
        announce(text('tooManyFiles'));
        break;
      }
      void send(put({ ref: newId(), name: file.name, bytes: file.size }, 'uploading'), file);
    }
    settle();
  };

  byId('attach', HTMLButtonElement).addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => {
    add(chooser.files ?? []);
    chooser.value = '';
    byId('text', HTMLTextAreaElement).focus();
  });
  document.addEventListener('paste', (event) => {
    const files = event.clipboardData?.files;
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    add(files);
  });
  /** @param {DragEvent} event */
  const holdsFiles = (event) => event.dataTransfer?.types.includes('Files') === true;
  document.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove('dropping');
    add(event.dataTransfer?.files ?? []);
  });

  return {
    /** @returns {boolean} Is there a file to be sent? */
    any: () => attached.some(({ state }) => state === 'ready'),
    /** @returns {boolean} Is one still on its way? */
    busy: () => attached.some(({ state }) => state === 'uploading'),
    /**
     * Takes up a message again that was not sent; what was uploaded for it is with the server.
     * @param {{ id: string, files: readonly Attached[] }} former
     */
    restore: ({ id, files }) => {
      for (const one of [...attached]) remove(one);
      message = id;
      for (const file of files) put(file, 'ready');
      settle();
    },
    /** What goes with the message, and its id; the next message begins without any. */
    take: () => {
      const files = attached
        .filter(({ state }) => state === 'ready')
        .map(({ ref, name, bytes }) => ({ ref, name, bytes }));
      const taken = { id: message, files };
      for (const { row } of attached) row.remove();
      attached = [];
      message = newId();
      settle();
      return taken;
    },
  };
}
