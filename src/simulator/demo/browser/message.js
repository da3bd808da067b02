// @ts-check
import { act, button, element } from './dom.js';
import { formatted } from './looks.js';

/** @typedef {import('../../play/port.ts').PlayMessage} PlayMessage */
/** @typedef {import('../../play/port.ts').PlayFile} PlayFile */

/**
 * What a bubble needs to know of its pane.
 * @typedef {object} Surroundings
 * @property {import('./composer.js').Place} place
 * @property {import('../../play/port.ts').Player} me
 * @property {{ readonly edit: boolean, readonly recall: boolean }} can
 * @property {import('./words.js').Say} say
 * @property {(message: PlayMessage) => void} reply
 * @property {(message: PlayMessage) => void} edit
 * @property {(text: string) => void} notify
 * @property {() => void} grown a picture has come that makes the message taller
 */

/**
 * Fills `line` with the message as it stands now; the element stays the same through all edits, so that neither
 * scrolling nor focus jumps.
 * @param {HTMLElement} line
 * @param {PlayMessage} message
 * @param {Surroundings} pane
 */
export function showMessage(line, message, pane) {
  const mine = message.by.id === pane.me.id;
  line.className = `message ${mine ? 'mine' : message.by.isBot ? 'from-bot' : 'other'}`;
  const bubble = element('div', 'bubble');
  if (!mine) bubble.append(author(message, pane));
  const { quoting } = message;
  if (quoting !== undefined) bubble.append(element('p', 'quote', element('b', '', quoting.name), quoting.text));
  for (const file of message.files) bubble.append(shownFile(file, pane));
  if (message.text !== '') bubble.append(element('div', 'text', formatted(message.text, message.looks)));
  bubble.append(footer(message, pane));
  const keys = message.buttons.length === 0 ? [] : [keyboard(message, pane)];
  line.replaceChildren(bubble, ...keys, tools(message, mine, pane));
}

/**
 * @param {PlayMessage} message
 * @param {Surroundings} pane
 */
function author({ by }, { say }) {
  return element('p', 'author', by.name, ...(by.isBot ? [element('small', '', say('bot'))] : []));
}

/**
 * @param {PlayFile} file
 * @param {Surroundings} pane
 */
function shownFile({ id, name, isImage }, { place, say, grown }) {
  const address = `files/${place.platform}/${encodeURIComponent(id)}`;
  const made = element('a', isImage ? 'picture' : 'file');
  made.href = address;
  if (!isImage) {
    made.download = name;
    made.append(name);
    made.title = say('download', { name });
    return made;
  }
  const picture = element('img', '');
  picture.alt = name;
  picture.addEventListener('load', grown);
  picture.src = address;
  made.target = '_blank';
  made.append(picture);
  return made;
}

/**
 * @param {PlayMessage} message
 * @param {Surroundings} pane
 */
function footer({ at, edits }, { say, me }) {
  const time = new Intl.DateTimeFormat(me.language, { hour: '2-digit', minute: '2-digit' }).format(at);
  const made = element('p', 'footer');
  if (edits > 0)
    made.append(element('span', '', edits === 1 ? say('edited') : say('editedTimes', { count: String(edits) })));
  made.append(element('time', '', time));
  return made;
}

/**
 * @param {PlayMessage} message
 * @param {Surroundings} pane
 */
function keyboard({ id, buttons }, { place, say, notify }) {
  const keys = buttons.map((label) => {
    const made = button('key', label, async () => {
      made.disabled = true;
      if (!(await act({ do: 'press', ...place, message: id, label }))) notify(say('failed'));
      made.disabled = false;
    });
    return made;
  });
  return element('div', 'keyboard', ...keys);
}

/**
 * @param {PlayMessage} message
 * @param {boolean} mine
 * @param {Surroundings} pane
 */
function tools(message, mine, { place, can, say, reply, edit, notify }) {
  const made = element(
    'div',
    'tools',
    button('', say('reply'), () => reply(message)),
  );
  if (mine && can.edit) made.append(button('', say('edit'), () => edit(message)));
  const recall = async () => {
    if (!(await act({ do: 'recall', ...place, message: message.id }))) notify(say('failed'));
  };
  if (mine && can.recall) made.append(button('', say('recall'), () => void recall()));
  return made;
}
