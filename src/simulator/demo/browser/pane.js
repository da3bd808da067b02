// @ts-check
import { Composer } from './composer.js';
import { element } from './dom.js';
import { showMessage } from './message.js';
import { speaker } from './words.js';

/** @typedef {import('../view.ts').MessageView} MessageView */
/** @typedef {import('../view.ts').PaneView} PaneView */
/** @typedef {import('../view.ts').Snapshot['commands']} Commands */

const nearBottomPx = 80;
const noticeMs = 4000;

/** One person's view of one chat. */
export class Pane {
  /** @type {Map<number, { line: HTMLElement, message: MessageView }>} */
  #lines = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingEnds;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #noticeEnds;
  #view;
  #say;
  #log = element('div', 'log');
  #status = element('p', 'status');
  #notice = element('p', 'notice');
  #hint;
  #composer;
  #section;

  /** @param {PaneView} view @param {Commands} commands */
  constructor(view, commands) {
    this.#view = view;
    this.#say = speaker(view.language);
    const isGroup = view.chat.kind === 'group';
    this.title = this.#say(isGroup ? 'group' : 'alone', { me: view.me.name, title: view.chat.title });
    this.#hint = element('p', 'hint', this.#say(isGroup ? 'groupHint' : 'hint'));
    this.#composer = new Composer(
      view,
      commands,
      this.#say,
      (text) => this.notify(text),
      () => this.#lastOwn(),
    );
    this.#log.role = 'log';
    this.#log.tabIndex = 0;
    this.#log.ariaLabel = this.title;
    this.#status.role = 'status';
    this.#notice.role = 'alert';
    this.#notice.hidden = true;
    const head = element('header', '', element('h2', '', this.title), this.#status);
    this.#section = element('section', 'pane', head, this.#log, this.#notice, this.#composer.element);
    this.#section.id = view.key;
    this.#section.lang = view.language === 'zh' ? 'zh-CN' : 'en';
    this.#section.dataset.person = String(view.me.id);
    this.reset(view, commands);
  }

  get element() {
    return this.#section;
  }

  /** @param {PaneView} view @param {Commands} commands */
  reset(view, commands) {
    this.#view = view;
    this.#composer.update(view, commands);
    this.#lines.clear();
    this.#log.replaceChildren(this.#hint);
    for (const message of view.messages) this.show(message);
  }

  /** @param {MessageView} message new or changed */
  show(message) {
    const atBottom = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < nearBottomPx;
    const known = this.#lines.get(message.id);
    const line = known?.line ?? this.#newLine(message.id);
    this.#lines.set(message.id, { line, message });
    showMessage(line, message, {
      pane: this.#view.key,
      myId: this.#view.me.id,
      language: this.#view.language,
      say: this.#say,
      reply: (about) => this.#composer.reply(about),
      edit: (about) => this.#composer.edit(about),
      notify: (text) => this.notify(text),
    });
    this.#hint.hidden = true;
    if (message.by.isBot) this.#setStatus('');
    if (atBottom || message.by.id === this.#view.me.id) this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** @param {number} id */
  remove(id) {
    this.#lines.get(id)?.line.remove();
    this.#lines.delete(id);
  }

  /** @param {string} name @param {number} forMs */
  typing(name, forMs) {
    this.#setStatus(this.#say('typing', { name }));
    this.#typingEnds = setTimeout(() => this.#setStatus(''), forMs);
  }

  /** Shows a passing notice. @param {string} text */
  notify(text) {
    clearTimeout(this.#noticeEnds);
    this.#notice.textContent = text;
    this.#notice.hidden = false;
    this.#noticeEnds = setTimeout(() => {
      this.#notice.hidden = true;
    }, noticeMs);
  }

  /** @param {string} text */
  #setStatus(text) {
    clearTimeout(this.#typingEnds);
    this.#status.textContent = text;
  }

  #lastOwn() {
    const own = [...this.#lines.values()].filter(({ message }) => message.by.id === this.#view.me.id);
    return own.at(-1)?.message;
  }

  /** @param {number} id */
  #newLine(id) {
    const line = element('article', '');
    line.addEventListener('click', (event) => {
      // A click on the text answers it, unless it hits something of its own or ends a selection.
      const hit = event.target instanceof Element ? event.target : undefined;
      const selecting = getSelection()?.isCollapsed === false;
      const message = this.#lines.get(id)?.message;
      if (message === undefined || message.service !== undefined || selecting) return;
      if (hit?.closest('.bubble') && !hit.closest('a, button, .spoiler, pre')) this.#composer.reply(message);
    });
    this.#log.append(line);
    return line;
  }
}
