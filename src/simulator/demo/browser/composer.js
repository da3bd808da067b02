// @ts-check
import { act, button, element } from './dom.js';
import { Suggestions, wordBefore } from './suggestions.js';

/** @typedef {import('../view.ts').MessageView} MessageView */
/** @typedef {import('../view.ts').PaneView} PaneView */
/** @typedef {import('../view.ts').Snapshot['commands']} Commands */

/** The input box of one pane: writes, replies, edits, and helps with mentions and commands. */
export class Composer {
  /** @type {{ kind: 'reply' | 'edit', message: MessageView } | undefined} */
  #about;
  #view;
  #commands;
  #say;
  #notify;
  #lastOwn;
  #input;
  #banner = element('div', 'banner');
  #send;
  #suggestions;
  #form;

  /**
   * @param {PaneView} view
   * @param {Commands} commands
   * @param {ReturnType<typeof import('./words.js').speaker>} say
   * @param {(text: string) => void} notify
   * @param {() => MessageView | undefined} lastOwn
   */
  constructor(view, commands, say, notify, lastOwn) {
    this.#view = view;
    this.#commands = commands;
    this.#say = say;
    this.#notify = notify;
    this.#lastOwn = lastOwn;
    this.#input = element('textarea', '');
    this.#input.rows = 1;
    this.#input.maxLength = 4096;
    this.#input.placeholder = say('placeholder', { me: view.me.name });
    this.#input.ariaLabel = this.#input.placeholder;
    this.#suggestions = new Suggestions(this.#input, say('suggestions'), `suggestions-${view.key}`, (item) =>
      this.#insert(item.insert),
    );
    this.#send = element('button', 'send', say('send'));
    this.#banner.hidden = true;
    this.#form = element('form', 'composer', this.#suggestions.element, this.#banner, this.#input, this.#send);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#input.addEventListener('input', () => this.#suggest());
    this.#input.addEventListener('blur', () => this.#suggestions.show([]));
  }

  get element() {
    return this.#form;
  }

  /** @param {PaneView} view @param {Commands} commands */
  update(view, commands) {
    this.#view = view;
    this.#commands = commands;
  }

  /** @param {MessageView} message */
  reply(message) {
    this.#turnTo('reply', message, this.#say('replying', { name: message.by.name }));
  }

  /** @param {MessageView} message */
  edit(message) {
    this.#turnTo('edit', message, this.#say('editing'));
    this.#input.value = message.text;
  }

  /**
   * @param {'reply' | 'edit'} kind
   * @param {MessageView} message
   * @param {string} title
   */
  #turnTo(kind, message, title) {
    this.#about = { kind, message };
    const cancel = button('', this.#say('cancel'), () => this.#turnAway());
    this.#banner.replaceChildren(element('span', '', element('b', '', title), message.text.slice(0, 120)), cancel);
    this.#banner.hidden = false;
    this.#send.textContent = this.#say(kind === 'edit' ? 'save' : 'send');
    this.#input.focus();
  }

  #turnAway() {
    if (this.#about?.kind === 'edit') this.#input.value = '';
    this.#about = undefined;
    this.#banner.hidden = true;
    this.#send.textContent = this.#say('send');
    this.#input.focus();
  }

  async #submit() {
    const text = this.#input.value.trim();
    if (text === '') return;
    const pane = this.#view.key;
    const about = this.#about;
    this.#input.value = '';
    this.#turnAway();
    const done = await act(
      about?.kind === 'edit'
        ? { do: 'edit', pane, message: about.message.id, text }
        : { do: 'say', pane, text, ...(about === undefined ? {} : { replyTo: about.message.id }) },
    );
    if (done) return;
    this.#notify(this.#say('failed'));
    if (this.#input.value === '') this.#input.value = text;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // While an input method composes a character, its keys are its own.
    if (event.isComposing) return;
    if (this.#suggestions.key(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void this.#submit();
    } else if (event.key === 'Escape' && this.#about !== undefined) this.#turnAway();
    else if (event.key === 'ArrowUp' && this.#input.value === '') {
      const last = this.#lastOwn();
      if (last === undefined) return;
      event.preventDefault();
      this.edit(last);
    }
  }

  #suggest() {
    const typed = wordBefore(this.#input.value.slice(0, this.#input.selectionStart));
    if (typed === undefined) this.#suggestions.show([]);
    else if (typed.sign === '/') this.#suggestions.show(this.#commandsLike(typed.word));
    else this.#suggestions.show(this.#peopleLike(typed.word));
  }

  /** @param {string} word */
  #commandsLike(word) {
    const bot = this.#view.chat.others.find(({ isBot }) => isBot);
    // In a group a command needs its bot's name, or any bot may feel called.
    const suffix = this.#view.chat.kind === 'group' && bot !== undefined ? `@${bot.username}` : '';
    return this.#commands
      .filter(({ command }) => command.startsWith(word))
      .map(({ command, description }) => ({
        insert: `/${command}${suffix} `,
        label: `/${command}`,
        detail: description,
      }));
  }

  /** @param {string} word */
  #peopleLike(word) {
    return this.#view.chat.others
      .filter(({ username, name }) => username !== '' && `${username} ${name}`.toLowerCase().includes(word))
      .map(({ username, name }) => ({ insert: `@${username} `, label: name, detail: `@${username}` }));
  }

  /** @param {string} text replaces the word that is being typed */
  #insert(text) {
    const caret = this.#input.selectionStart;
    const start = this.#input.value.slice(0, caret).search(/[@/]\w*$/);
    this.#input.setRangeText(text, start === -1 ? caret : start, caret, 'end');
    this.#input.focus();
  }
}
