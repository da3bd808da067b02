// @ts-check
import { Composer } from './composer.js';
import { element } from './dom.js';
import { showMessage } from './message.js';
import { speaker } from './words.js';

/** @typedef {import('../../play/port.ts').PlayMessage} PlayMessage */
/** @typedef {import('../view.ts').SeatView} SeatView */
/** @typedef {import('../view.ts').PlatformView} PlatformView */
/** @typedef {import('../view.ts').CommandView} Command */
/** @typedef {import('../stage.ts').PlayerKey} PlayerKey */

const nearBottomPx = 80;
const noticeMs = 4000;

/** One chat as one of its people sees it; in a group one chooses which. */
export class Pane {
  /** @type {Map<string, { line: HTMLElement, message: PlayMessage }>} */
  #lines = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingEnds;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #noticeEnds;
  /** Messages of others that came while nobody looked. */
  unread = 0;
  #platform;
  #seat;
  #commands;
  /** @type {PlayerKey} */
  #by;
  #heading = element('h2', '');
  #status = element('p', 'status');
  #log = element('div', 'log');
  #hint = element('p', 'hint');
  #notice = element('p', 'notice');
  #section;
  /** @type {Composer} */
  #composer;

  /** @param {PlatformView} platform @param {SeatView} seat @param {readonly Command[]} commands */
  constructor(platform, seat, commands) {
    this.#platform = platform;
    this.#seat = seat;
    this.#commands = commands;
    this.#by = seat.players[0] ?? 'ann';
    this.#composer = this.#newComposer();
    this.#log.role = 'log';
    this.#log.tabIndex = 0;
    this.#status.role = 'status';
    this.#notice.role = 'alert';
    this.#notice.hidden = true;
    const head = element('header', '', element('div', '', this.#heading, this.#status), ...this.#choiceOfSpeakers());
    this.#section = element('section', 'pane', head, this.#log, this.#notice, this.#composer.element);
    this.#section.id = `${platform.key}-${seat.key}`;
    this.#speakAs(this.#by);
    for (const message of seat.messages) this.#show(message);
  }

  get element() {
    return this.#section;
  }

  get key() {
    return this.#seat.key;
  }

  get title() {
    const { kind, title } = this.#seat;
    return kind === 'group' ? title : this.#say('alone', { me: this.#me.name, title });
  }

  get visible() {
    return this.#section.offsetParent !== null;
  }

  get #me() {
    return this.#platform.players[this.#by];
  }

  get #say() {
    return speaker(this.#me.language);
  }

  get #place() {
    return { platform: this.#platform.key, chat: this.#seat.key, by: this.#by };
  }

  /** All that the chat shows, after a new connection. @param {readonly PlayMessage[]} messages */
  reset(messages) {
    const ids = new Set(messages.map(({ id }) => id));
    this.change(
      messages,
      [...this.#lines.keys()].filter((id) => !ids.has(id)),
    );
  }

  /** @param {readonly PlayMessage[]} messages new or changed @param {readonly string[]} gone */
  change(messages, gone) {
    for (const id of gone) this.#remove(id);
    for (const message of messages) this.#show(message);
    this.#hint.hidden = this.#lines.size > 0;
  }

  /** @param {string} name @param {number} forMs */
  typing(name, forMs) {
    this.#setStatus(forMs === 0 ? '' : this.#say('typing', { name }));
    if (forMs > 0) this.#typingEnds = setTimeout(() => this.#setStatus(''), forMs);
  }

  /** @returns {HTMLElement[]} */
  #choiceOfSpeakers() {
    const { players } = this.#seat;
    if (players.length < 2) return [];
    const group = element('fieldset', 'speakers');
    group.ariaLabel = this.#say('speaker');
    for (const key of players) {
      const { name, language } = this.#platform.players[key];
      const radio = element('input', '');
      radio.type = 'radio';
      radio.name = `speaker-${this.#platform.key}-${this.#seat.key}`;
      radio.checked = key === this.#by;
      radio.addEventListener('change', () => this.#speakAs(key));
      const label = element('label', '', radio, element('span', '', speaker(language)('speakAs', { name })));
      label.lang = language === 'zh' ? 'zh-CN' : 'en';
      group.append(label);
    }
    return [group];
  }

  /** Everything is seen with this person's eyes from now on. @param {PlayerKey} by */
  #speakAs(by) {
    this.#by = by;
    this.#section.lang = this.#me.language === 'zh' ? 'zh-CN' : 'en';
    this.#heading.textContent = this.title;
    this.#log.ariaLabel = this.title;
    this.#hint.textContent = this.#say(this.#seat.kind === 'group' ? 'groupHint' : 'hint');
    const composer = this.#newComposer();
    composer.takeOver(this.#composer);
    this.#composer.element.replaceWith(composer.element);
    this.#composer = composer;
    const shown = [...this.#lines.values()].map(({ message }) => message);
    this.#lines.clear();
    this.#log.replaceChildren(this.#hint);
    this.#setStatus('');
    for (const message of shown) this.#show(message);
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #newComposer() {
    return new Composer({
      place: this.#place,
      me: this.#me,
      inGroup: this.#seat.kind === 'group',
      botName: this.#platform.botName,
      commands: this.#commands,
      canEdit: this.#platform.can.edit,
      notify: (text) => this.#notify(text),
      lastOwn: () => this.#lastOwn(),
    });
  }

  /** @param {PlayMessage} message new or changed */
  #show(message) {
    const known = this.#lines.get(message.id);
    const isMine = message.by.id === this.#me.id;
    if (known === undefined && !isMine && this.#section.isConnected && !this.visible) this.unread += 1;
    const atBottom = this.#atBottom;
    const line = known?.line ?? this.#newLine(message.id);
    this.#lines.set(message.id, { line, message });
    showMessage(line, message, {
      place: this.#place,
      me: this.#me,
      can: this.#platform.can,
      say: this.#say,
      reply: (about) => this.#composer.reply(about),
      edit: (about) => this.#composer.edit(about),
      notify: (text) => this.#notify(text),
      grown: () => this.toBottom(),
    });
    this.#hint.hidden = true;
    if (message.by.isBot) this.#setStatus('');
    if (atBottom || (isMine && known === undefined)) this.toBottom();
  }

  get #atBottom() {
    return this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < nearBottomPx;
  }

  toBottom() {
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** @param {string} id */
  #remove(id) {
    this.#lines.get(id)?.line.remove();
    this.#lines.delete(id);
  }

  /** Shows a passing notice. @param {string} text */
  #notify(text) {
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
    return [...this.#lines.values()].findLast(({ message }) => message.by.id === this.#me.id)?.message;
  }

  /** @param {string} id */
  #newLine(id) {
    const line = element('article', '');
    line.addEventListener('click', (event) => {
      // A click on the text answers it, unless it hits something of its own or ends a selection.
      const hit = event.target instanceof Element ? event.target : undefined;
      const selecting = getSelection()?.isCollapsed === false;
      const message = this.#lines.get(id)?.message;
      if (message === undefined || selecting) return;
      if (hit?.closest('.bubble') && !hit.closest('a, button, pre')) this.#composer.reply(message);
    });
    this.#log.append(line);
    return line;
  }
}
