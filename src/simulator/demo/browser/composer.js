// @ts-check
import { Attachment } from './attachment.js';
import { act, button, element } from './dom.js';
import { Suggestions, wordBefore } from './suggestions.js';
import { speaker } from './words.js';

/** @typedef {import('../../play/port.ts').PlayMessage} PlayMessage */
/** @typedef {import('../../play/port.ts').Player} Player */
/** @typedef {import('../view.ts').CommandView} Command */
/** @typedef {{ platform: string, chat: string, by: string }} Place */

/**
 * What the input box of one person in one chat needs to know.
 * @typedef {object} Circumstances
 * @property {Place} place
 * @property {Player} me
 * @property {boolean} inGroup
 * @property {string} botName
 * @property {readonly Command[]} commands
 * @property {boolean} canEdit
 * @property {(text: string) => void} notify
 * @property {() => PlayMessage | undefined} lastOwn
 */

/** The input box: writes, replies, edits, attaches, and helps with the bot's name and commands. */
export class Composer {
  /** @type {{ kind: 'reply' | 'edit', message: PlayMessage } | undefined} */
  #about;
  #circumstances;
  #say;
  #input = element('textarea', '');
  #banner = element('div', 'banner');
  #toBot = element('input', '');
  #send;
  #attachment;
  #suggestions;
  #form;

  /** @param {Circumstances} circumstances */
  constructor(circumstances) {
    const { me, place, inGroup, notify } = circumstances;
    this.#circumstances = circumstances;
    this.#say = speaker(me.language);
    this.#input.rows = 1;
    this.#input.maxLength = 4000;
    this.#input.placeholder = this.#say('placeholder', { me: me.name });
    this.#input.ariaLabel = this.#input.placeholder;
    const listId = `suggestions-${place.platform}-${place.chat}`;
    this.#suggestions = new Suggestions(this.#input, this.#say('suggestions'), listId, (item) =>
      this.#insert(item.insert),
    );
    this.#attachment = new Attachment(this.#say, notify, () => this.#input.focus());
    this.#send = element('button', 'send', this.#say('send'));
    this.#toBot.type = 'checkbox';
    this.#toBot.checked = true;
    const toBot = element('label', 'to-bot', this.#toBot, this.#say('toBot'));
    toBot.hidden = !inGroup;
    this.#banner.hidden = true;
    const tools = element('div', 'bar', this.#attachment.opener, toBot, this.#send);
    const box = element('div', 'box', this.#banner, this.#attachment.element, this.#input, tools);
    this.#form = element('form', 'composer', this.#suggestions.element, box);
    this.#listen();
  }

  get element() {
    return this.#form;
  }

  /** What was being written, and to whom, is kept when somebody else speaks. @param {Composer} former */
  takeOver(former) {
    this.#input.value = former.#about?.kind === 'edit' ? '' : former.#input.value;
    this.#toBot.checked = former.#toBot.checked;
  }

  #listen() {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    this.#input.addEventListener('input', () => this.#suggest());
    this.#input.addEventListener('blur', () => this.#suggestions.show([]));
    this.#input.addEventListener('paste', (event) => this.#takeFrom(event, event.clipboardData));
    this.#form.addEventListener('dragover', (event) => event.preventDefault());
    this.#form.addEventListener('drop', (event) => this.#takeFrom(event, event.dataTransfer));
  }

  /**
   * @param {Event} event
   * @param {DataTransfer | null} data
   */
  #takeFrom(event, data) {
    const [file] = data?.files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    this.#attachment.take(file);
  }

  /** @param {PlayMessage} message */
  reply(message) {
    this.#turnTo('reply', message, this.#say('replying', { name: message.by.name }));
  }

  /** @param {PlayMessage} message */
  edit(message) {
    this.#turnTo('edit', message, this.#say('editing'));
    this.#input.value = message.text;
  }

  /**
   * @param {'reply' | 'edit'} kind
   * @param {PlayMessage} message
   * @param {string} title
   */
  #turnTo(kind, message, title) {
    this.#about = { kind, message };
    const cancel = button('', this.#say('cancel'), () => this.#turnAway());
    this.#banner.replaceChildren(element('span', 'gist', element('b', '', title), message.text.slice(0, 120)), cancel);
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
    if (text === '' && !this.#attachment.present) return;
    const { place, inGroup, notify } = this.#circumstances;
    const about = this.#about;
    this.#input.value = '';
    this.#suggestions.show([]);
    this.#turnAway();
    const done = await act(
      about?.kind === 'edit'
        ? { do: 'edit', ...place, message: about.message.id, text }
        : {
            do: 'say',
            ...place,
            text,
            toBot: inGroup && this.#toBot.checked,
            quoting: about?.message.id,
            file: await this.#attachment.read().catch(() => undefined),
          },
    );
    if (done) {
      if (about?.kind !== 'edit' && this.#attachment.present) this.#attachment.clear();
      return;
    }
    notify(this.#say('failed'));
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
    else if (event.key === 'ArrowUp' && this.#input.value === '' && this.#circumstances.canEdit) {
      const last = this.#circumstances.lastOwn();
      if (last === undefined) return;
      event.preventDefault();
      this.edit(last);
    }
  }

  #suggest() {
    const typed = wordBefore(this.#input.value.slice(0, this.#input.selectionStart));
    const { botName, inGroup, commands, me } = this.#circumstances;
    if (typed?.sign === '/') {
      const fitting = commands.filter(({ name }) => name.startsWith(typed.word));
      this.#suggestions.show(
        fitting.map(({ name, description }) => ({
          insert: `/${name} `,
          label: `/${name}`,
          detail: description[me.language],
        })),
      );
    } else if (typed?.sign === '@' && inGroup && botName.toLowerCase().startsWith(`@${typed.word}`))
      this.#suggestions.show([{ insert: `${botName} `, label: botName, detail: this.#say('bot') }]);
    else this.#suggestions.show([]);
  }

  /** @param {string} text replaces the word that is being typed */
  #insert(text) {
    const caret = this.#input.selectionStart;
    const start = this.#input.value.slice(0, caret).search(/[@/]\w*$/);
    this.#input.setRangeText(text, start === -1 ? caret : start, caret, 'end');
    this.#input.focus();
  }
}
