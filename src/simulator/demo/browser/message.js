// @ts-check
import { act, button, element } from './dom.js';
import { formatted } from './entities.js';

/** @typedef {import('../view.ts').MessageView} MessageView */

/**
 * What a bubble needs to know of its pane.
 * @typedef {object} Surroundings
 * @property {string} pane
 * @property {number} myId
 * @property {'en' | 'zh'} language
 * @property {ReturnType<typeof import('./words.js').speaker>} say
 * @property {(message: MessageView) => void} reply
 * @property {(message: MessageView) => void} edit
 * @property {(text: string) => void} notify
 */

/**
 * Fills `line` with the message as it stands now; the element stays the same through all edits, so that neither
 * scrolling nor focus jumps.
 * @param {HTMLElement} line
 * @param {MessageView} message
 * @param {Surroundings} pane
 */
export function showMessage(line, message, pane) {
  const { say } = pane;
  line.dataset.id = String(message.id);
  if (message.service !== undefined) {
    line.className = 'service';
    line.replaceChildren(say(message.service.kind, { name: message.service.name }));
    return;
  }
  const mine = message.by.id === pane.myId;
  line.className = `message ${mine ? 'mine' : message.by.isBot ? 'from-bot' : 'other'}`;
  const bubble = element('div', 'bubble');
  if (!mine) bubble.append(element('p', 'author', message.by.name, ...botMark(message, pane)));
  if (message.reply !== undefined)
    bubble.append(element('p', 'quote', element('b', '', message.reply.name), message.reply.text));
  if (message.file !== undefined) bubble.append(element('p', 'file', `📎 ${message.file}`));
  bubble.append(element('div', 'text', formatted(message.text, message.entities)));
  bubble.append(footer(message, pane));
  const parts = [bubble];
  if (message.buttons.length > 0) parts.push(keyboard(message, pane));
  line.replaceChildren(...parts, tools(message, mine, pane));
}

/**
 * @param {MessageView} message
 * @param {Surroundings} pane
 */
const botMark = (message, { say }) => (message.by.isBot ? [element('small', '', say('bot'))] : []);

/**
 * @param {MessageView} message
 * @param {Surroundings} pane
 */
function footer(message, { say, language }) {
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(message.at);
  const made = element('p', 'footer');
  if (message.reactions.length > 0) made.append(element('span', 'reactions', message.reactions.join(' ')));
  if (message.edits > 0) {
    const edited = element('span', '', say('edited'));
    edited.title = `× ${message.edits}`;
    made.append(edited);
  }
  made.append(element('time', '', time));
  return made;
}

/**
 * @param {MessageView} message
 * @param {Surroundings} pane
 */
function keyboard(message, { pane, say, notify }) {
  const rows = message.buttons.map((row, rowIndex) =>
    element(
      'div',
      'row',
      ...row.map(({ label, url }, column) => {
        if (url !== undefined) return urlButton(label, url);
        const made = button('key', label, async () => {
          made.disabled = true;
          if (!(await act({ do: 'press', pane, message: message.id, row: rowIndex, column }))) notify(say('failed'));
          made.disabled = false;
        });
        return made;
      }),
    ),
  );
  return element('div', 'keyboard', ...rows);
}

/**
 * @param {string} label
 * @param {string} url
 */
function urlButton(label, url) {
  const made = element('a', 'key', label);
  if (/^https?:/i.test(url)) made.href = url;
  made.target = '_blank';
  made.rel = 'noopener noreferrer';
  return made;
}

/**
 * @param {MessageView} message
 * @param {boolean} mine
 * @param {Surroundings} pane
 */
function tools(message, mine, { say, reply, edit }) {
  const made = element(
    'div',
    'tools',
    button('', say('reply'), () => reply(message)),
  );
  if (mine) made.append(button('', say('edit'), () => edit(message)));
  return made;
}
