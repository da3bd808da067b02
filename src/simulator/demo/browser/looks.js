// @ts-check
import { element } from './dom.js';

/** @typedef {import('../../play/port.ts').Look} Look */

/** @type {ReadonlySet<Look['kind']>} */
const blocks = new Set(['block', 'quote', 'heading']);

/** Only these may be followed; anything else, such as `javascript:`, is shown as text. */
const safeUrl = /^(?:https?:|mailto:)/i;

/**
 * @param {string} url
 * @param {Node} content
 */
function link(url, content) {
  const target = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
  const made = element('a', '', content);
  if (!safeUrl.test(target)) return made;
  made.href = target;
  made.target = '_blank';
  made.rel = 'noopener noreferrer';
  return made;
}

/**
 * @param {Look} look
 * @param {DocumentFragment} content
 * @param {string} text what the look covers
 * @returns {Node}
 */
function wrap(look, content, text) {
  switch (look.kind) {
    case 'bold':
      return element('strong', '', content);
    case 'italic':
      return element('em', '', content);
    case 'strike':
      return element('s', '', content);
    case 'code':
      return element('code', '', content);
    case 'block': {
      const made = element('pre', '', element('code', '', content));
      // Wide code scrolls, and must be reachable by keyboard for that.
      made.tabIndex = 0;
      return made;
    }
    case 'quote':
      return element('blockquote', '', content);
    case 'heading':
      return element('strong', 'heading', content);
    case 'link':
      return link(look.url ?? text, content);
    case 'mention':
      return element('span', 'mention', content);
    default:
      return content;
  }
}

/**
 * Text with its looks as DOM. Looks nest; one that crosses another's end is cut there. Nothing of the text is ever read
 * as HTML.
 * @param {string} text
 * @param {readonly Look[]} looks
 * @param {number} [from] in UTF-16 units, as are the looks' offsets
 * @param {number} [to]
 * @returns {DocumentFragment}
 */
export function formatted(text, looks, from = 0, to = text.length) {
  const made = document.createDocumentFragment();
  const inside = looks
    .filter(({ offset, length }) => offset < to && offset + length > from && length > 0)
    .toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  let done = from;
  for (const [index, look] of inside.entries()) {
    const start = Math.max(look.offset, done);
    const end = Math.min(look.offset + look.length, to);
    if (end <= start) continue;
    // A block stands on lines of its own already; the breaks around it would add empty ones.
    const isBlock = blocks.has(look.kind);
    const before = text.slice(done, start);
    made.append(isBlock ? before.replace(/\n{1,2}$/, '') : before);
    made.append(wrap(look, formatted(text, inside.slice(index + 1), start, end), text.slice(start, end)));
    const breaks = isBlock ? (/^\n{0,2}/.exec(text.slice(end, to))?.[0].length ?? 0) : 0;
    done = end + breaks;
  }
  made.append(text.slice(done, to));
  return made;
}
