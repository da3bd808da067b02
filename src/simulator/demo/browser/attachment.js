// @ts-check
import { button, element } from './dom.js';

/** @typedef {import('./words.js').Say} Say */

const maxFileBytes = 4_000_000;

/** A file that waits to be sent: chosen, pasted or dropped. */
export class Attachment {
  /** @type {File | undefined} */
  #file;
  #say;
  #notify;
  #chosen;
  #shown = element('div', 'attached');
  #choose = element('input', '');
  #open;

  /**
   * @param {Say} say
   * @param {(text: string) => void} notify
   * @param {() => void} chosen
   */
  constructor(say, notify, chosen) {
    this.#say = say;
    this.#notify = notify;
    this.#chosen = chosen;
    this.#choose.type = 'file';
    this.#choose.hidden = true;
    this.#choose.addEventListener('change', () => {
      const [file] = this.#choose.files ?? [];
      this.#choose.value = '';
      if (file !== undefined) this.take(file);
    });
    this.#open = button('attach', '', () => this.#choose.click());
    this.#open.ariaLabel = say('attach');
    this.#open.title = say('attach');
    this.#shown.hidden = true;
  }

  /** What opens the choice of files. */
  get opener() {
    return element('span', '', this.#choose, this.#open);
  }

  /** What shows the chosen one. */
  get element() {
    return this.#shown;
  }

  get present() {
    return this.#file !== undefined;
  }

  /** @param {File} file */
  take(file) {
    if (file.size > maxFileBytes) {
      this.#notify(this.#say('tooLarge'));
      return;
    }
    this.#file = file;
    const name = file.name;
    const away = button('', '×', () => this.clear());
    away.ariaLabel = this.#say('remove', { name });
    this.#shown.replaceChildren(element('span', 'name', name), away);
    this.#shown.hidden = false;
    this.#chosen();
  }

  clear() {
    this.#file = undefined;
    this.#shown.hidden = true;
    this.#shown.replaceChildren();
    this.#chosen();
  }

  /** @returns {Promise<{ name: string, mime: string, content: string } | undefined>} the file in base64 */
  async read() {
    const file = this.#file;
    if (file === undefined) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers();
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
    const url = await promise;
    const mime = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream';
    return { name: file.name, mime, content: url.slice(url.indexOf(',') + 1) };
  }
}
