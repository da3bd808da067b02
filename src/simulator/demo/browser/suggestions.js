// @ts-check
import { element } from './dom.js';

/** @typedef {{ insert: string, label: string, detail: string }} Suggestion */

/**
 * What is being typed before the caret: `@an` or, at the start of a message, `/he`.
 * @param {string} before
 * @returns {{ sign: '@' | '/', word: string } | undefined}
 */
export function wordBefore(before) {
  const mention = /(?:^|[\s(（，。])@(\w*)$/u.exec(before)?.[1];
  if (mention !== undefined) return { sign: '@', word: mention.toLowerCase() };
  const command = /^\/(\w*)$/.exec(before)?.[1];
  return command === undefined ? undefined : { sign: '/', word: command.toLowerCase() };
}

/** A list under the input from which one picks by arrow keys and Enter, or by a click. */
export class Suggestions {
  /** @type {Suggestion[]} */
  #items = [];
  #chosen = 0;
  /** @type {(suggestion: Suggestion) => void} */
  #pick;
  #input;
  #list;

  /**
   * @param {HTMLTextAreaElement} input
   * @param {string} label
   * @param {string} id unique on the page
   * @param {(suggestion: Suggestion) => void} pick
   */
  constructor(input, label, id, pick) {
    this.#input = input;
    this.#pick = pick;
    this.#list = element('ul', 'suggestions');
    this.#list.id = id;
    this.#list.role = 'listbox';
    this.#list.ariaLabel = label;
    this.#list.hidden = true;
    input.setAttribute('aria-controls', id);
    input.setAttribute('aria-autocomplete', 'list');
  }

  get element() {
    return this.#list;
  }

  get open() {
    return !this.#list.hidden;
  }

  /** @param {Suggestion[]} items */
  show(items) {
    this.#items = items;
    const written = items.findIndex(({ label }) => label === this.#input.value);
    this.#chosen = Math.max(written, 0);
    this.#list.hidden = items.length === 0;
    this.#draw();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was meant for the list
   */
  key(event) {
    if (!this.open) return false;
    const count = this.#items.length;
    if (event.key === 'ArrowDown') this.#chosen = (this.#chosen + 1) % count;
    else if (event.key === 'ArrowUp') this.#chosen = (this.#chosen + count - 1) % count;
    else if (event.key === 'Escape') this.show([]);
    else if (event.key === 'Enter' && this.#isWritten) {
      this.show([]);
      return false;
    } else if (event.key === 'Enter' || event.key === 'Tab') this.#take(this.#chosen);
    else return false;
    this.#draw();
    return true;
  }

  /** The chosen one stands there in full already, so that Enter means the message. */
  get #isWritten() {
    return this.#items[this.#chosen]?.label === this.#input.value;
  }

  /** @param {number} index */
  #take(index) {
    const item = this.#items[index];
    this.show([]);
    if (item !== undefined) this.#pick(item);
  }

  #draw() {
    const rows = this.#items.map(({ label, detail }, index) => {
      const row = element('li', '', element('b', '', label), element('span', 'detail', detail));
      row.role = 'option';
      row.id = `${this.#list.id}-${index}`;
      row.ariaSelected = String(index === this.#chosen);
      // By pointer down, not click: the input must not lose its focus first.
      row.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        this.#take(index);
      });
      return row;
    });
    this.#list.replaceChildren(...rows);
    if (this.open) this.#input.setAttribute('aria-activedescendant', `${this.#list.id}-${this.#chosen}`);
    else this.#input.removeAttribute('aria-activedescendant');
  }
}
