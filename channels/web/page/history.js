// @ts-check
import { call } from './api.js';
import { announce, byId, dayOf, text } from './dom.js';
import { createItem } from './message.js';

/**
 * @typedef {import('./api.js').Message} Message
 * @typedef {import('./message.js').Item} Item
 */

/** How far from its end the list still counts as read to the end, in pixels. */
const NEAR = 80;
/** What is read out of an answer, in characters. */
const ANNOUNCED = 2_000;

/**
 * The message list: ordered by the server's numbers, own unsent messages last. It follows its end unless one has
 * scrolled up.
 * @param {{ onUnknown: () => void }} options `onUnknown`: an edit came for a message that is not here.
 */
export function createHistory({ onUnknown }) {
  const view = byId('log', HTMLElement);
  const list = byId('messages', HTMLOListElement);
  const empty = byId('empty', HTMLElement);
  const older = byId('older', HTMLButtonElement);
  const jump = byId('jump', HTMLButtonElement);
  /** @type {Map<string, Item>} */
  const items = new Map();
  let following = true;

  // Not every browser lets the keyboard scroll what it cannot focus.
  view.tabIndex = 0;

  const isAtEnd = () => view.scrollHeight - view.scrollTop - view.clientHeight < NEAR;
  const toEnd = () => {
    // Without messages there is a greeting, which is read from its top.
    if (items.size > 0) view.scrollTop = view.scrollHeight;
  };
  const settle = () => {
    empty.hidden = items.size > 0;
    let day = '';
    for (const item of [...items.values()].sort((a, b) => a.seq - b.seq || a.at - b.at)) {
      const its = dayOf(item.at);
      if (its === day) delete item.element.dataset.day;
      else item.element.dataset.day = its;
      day = its;
    }
    if (following) toEnd();
    jump.hidden = following;
  };

  view.addEventListener(
    'scroll',
    () => {
      following = isAtEnd();
      jump.hidden = following;
    },
    { passive: true },
  );
  // A growing message box or an opening keyboard must not hide the end.
  new ResizeObserver(() => following && toEnd()).observe(view);
  jump.addEventListener('click', () => {
    following = true;
    settle();
    byId('text', HTMLTextAreaElement).focus();
  });

  /**
   * @param {string} id
   * @param {Omit<Message, 'id' | 'files'> & { files: readonly import('./files.js').ShownFile[] }} message
   */
  const put = (id, message) => {
    const known = items.get(id);
    const growing = known?.growing ?? false;
    if (known !== undefined && known.seq === message.seq) {
      known.show(message.html, growing);
      return known;
    }
    known?.element.remove();
    items.delete(id);
    const item = createItem(message);
    const next = [...items.values()].filter(({ seq }) => seq > message.seq).sort((a, b) => a.seq - b.seq)[0];
    list.insertBefore(item.element, next?.element ?? null);
    items.set(id, item);
    item.show(message.html, growing);
    return item;
  };

  /** @param {Item} item */
  const readOut = (item) => {
    if (item.author === 'bot') announce(`${item.name}: ${item.plainText().slice(0, ANNOUNCED)}`);
  };

  const oldestSeq = () => Math.min(...[...items.values()].map(({ seq }) => seq));

  older.addEventListener('click', async () => {
    older.disabled = true;
    try {
      const page = await call('GET', `/api/v1/chat/messages?before=${oldestSeq()}`);
      const fromEnd = view.scrollHeight - view.scrollTop;
      following = false;
      for (const message of page.messages) put(message.id, message);
      older.hidden = !page.more;
      settle();
      view.scrollTop = view.scrollHeight - fromEnd;
      if (older.hidden) view.focus({ preventScroll: true });
    } catch {
      announce(text('olderFailed'));
    } finally {
      older.disabled = false;
    }
  });

  return {
    /** @param {string} id */
    get: (id) => items.get(id),
    /** @param {{ messages: Message[], more: boolean, gap: boolean }} page The newest messages as the server has them. */
    sync: ({ messages, more, gap }) => {
      if (gap) {
        for (const [id, item] of items) {
          if (item.seq === Number.POSITIVE_INFINITY) continue;
          item.element.remove();
          items.delete(id);
        }
        older.hidden = !more;
      }
      for (const message of messages) put(message.id, message).show(message.html, false);
      settle();
    },
    /**
     * @param {Message} message
     * @param {boolean} growing
     */
    add: (message, growing) => {
      const item = put(message.id, message);
      item.show(message.html, growing);
      settle();
      if (!growing) readOut(item);
    },
    /**
     * @param {string} id
     * @param {string} html
     * @param {boolean} growing
     */
    edit: (id, html, growing) => {
      const item = items.get(id);
      if (item === undefined) return onUnknown();
      item.show(html, growing);
      if (following) toEnd();
      if (!growing) readOut(item);
    },
    /**
     * Shows a message that the server does not have yet.
     * @param {import('./outbox.js').Unsent} unsent
     * @returns {Item}
     */
    addUnsent: ({ id, text: markdown, at, files = [] }) => {
      const known = items.get(id);
      if (known !== undefined) return known;
      const paragraph = document.createElement('p');
      paragraph.className = 'plain';
      paragraph.textContent = markdown;
      const seq = Number.POSITIVE_INFINITY;
      const html = markdown === '' ? '' : paragraph.outerHTML;
      const item = put(id, { author: 'person', name: '', at, seq, markdown, html, files });
      following = true;
      settle();
      return item;
    },
    /** @param {string} id */
    remove: (id) => {
      items.get(id)?.element.remove();
      items.delete(id);
      settle();
    },
    /** Keeps the end in sight after something else in the list has changed. */
    follow: () => {
      if (following) toEnd();
    },
    /** @returns {Item | undefined} The newest message that the server has. */
    newest: () =>
      [...items.values()].filter(({ seq }) => seq !== Number.POSITIVE_INFINITY).sort((a, b) => b.seq - a.seq)[0],
  };
}
