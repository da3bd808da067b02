// @ts-check
import { button, element, text, timeOf } from './dom.js';
import { createFileList } from './files.js';

/**
 * One message on the page.
 * @typedef {object} Item
 * @property {HTMLLIElement} element
 * @property {'person' | 'bot'} author
 * @property {string} name
 * @property {number} at
 * @property {number} seq Infinity while the server has not numbered it.
 * @property {boolean} growing
 * @property {(html: string, growing: boolean) => void} show
 * @property {(...content: (Node | string)[]) => void} note Something to say below it; nothing removes it.
 * @property {() => string} plainText
 */

/**
 * @param {object} message
 * @param {'person' | 'bot'} message.author
 * @param {string} message.name
 * @param {number} message.at
 * @param {number} message.seq
 * @param {string} message.markdown
 * @param {readonly import('./files.js').ShownFile[]} message.files
 * @returns {Item}
 */
export function createItem({ author, name, at, seq, markdown, files }) {
  const isNew = author === 'person' && markdown.trim() === '/new';
  const item = element('li', `message ${author}${isNew ? ' divider' : ''}`);
  const time = element('time', '', timeOf(at));
  time.dateTime = new Date(at).toISOString();
  const shownName = author === 'person' ? text('you') : name;
  const who = element('span', author === 'person' ? 'name quiet' : 'name', shownName);
  const body = element('div', 'body');
  const note = element('p', 'note');
  note.hidden = true;
  item.append(element('div', 'meta', who, ' ', time), body, note);
  if (files.length > 0) body.after(createFileList(files));

  /** @type {string[]} */
  let blocks = [];
  return {
    element: item,
    author,
    name: shownName,
    at,
    seq,
    growing: false,
    show(html, growing) {
      this.growing = growing;
      item.classList.toggle('growing', growing);
      body.hidden = html === '';
      if (isNew) body.textContent = text('newConversation');
      else blocks = replaceBlocks(body, blocks, html);
    },
    note: (...content) => {
      note.replaceChildren(...content);
      note.hidden = content.length === 0;
    },
    plainText: () =>
      [...[...body.children].map((block) => block.textContent), ...files.map((file) => file.name)].join('\n'),
  };
}

/**
 * Replaces from the first block that differs on, so that a selection, a focus or a scrolled table in what is already
 * written survives while the rest grows.
 * @param {HTMLElement} body
 * @param {readonly string[]} before
 * @param {string} html Made safe by the server.
 */
function replaceBlocks(body, before, html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const fresh = [...template.content.children];
  const after = fresh.map((block) => block.outerHTML);
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  for (const old of [...body.children].slice(same)) old.remove();
  for (const block of fresh.slice(same)) {
    body.append(block);
    for (const code of block.matches('pre') ? [block] : block.querySelectorAll('pre')) addCopyButton(code);
  }
  return after;
}

/** @param {Element} code */
function addCopyButton(code) {
  const language = code.getAttribute('data-language') ?? '';
  const copy = button(text('copy'), 'copy', async () => {
    const done = await copyText(code.textContent ?? '');
    copy.textContent = text(done ? 'copied' : 'copyFailed');
    setTimeout(() => {
      copy.textContent = text('copy');
    }, 2_000);
  });
  copy.setAttribute('aria-live', 'polite');
  const frame = element('div', 'code');
  code.replaceWith(frame);
  frame.append(element('div', 'code-head', element('span', '', language || text('code')), copy), code);
}

/**
 * The clipboard's own interface is there on https and localhost only.
 * @param {string} value
 */
async function copyText(value) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const area = element('textarea', 'quiet');
    area.value = value;
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}
