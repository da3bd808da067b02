// @ts-check
import { element } from './dom.js';

/** @typedef {import('../../telegram/wire.ts').WireEntity} Entity */

const blocks = new Set(['pre', 'blockquote', 'expandable_blockquote']);

/** Only these may be followed; anything else, such as `javascript:`, is shown as text. */
const safeUrl = /^(?:https?:|mailto:|tg:)/i;

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
 * @param {Entity} entity
 * @param {DocumentFragment} content
 * @param {string} text what the entity covers
 * @returns {Node}
 */
function wrap(entity, content, text) {
  switch (entity.type) {
    case 'bold':
      return element('strong', '', content);
    case 'italic':
      return element('em', '', content);
    case 'underline':
      return element('u', '', content);
    case 'strikethrough':
      return element('s', '', content);
    case 'spoiler': {
      const made = element('span', 'spoiler', content);
      made.tabIndex = 0;
      return made;
    }
    case 'blockquote':
    case 'expandable_blockquote':
      return element('blockquote', '', content);
    case 'code':
      return element('code', '', content);
    case 'pre': {
      const made = element('pre', '', element('code', '', content));
      // Wide code scrolls, and must be reachable by keyboard for that.
      made.tabIndex = 0;
      if (entity.language !== undefined) made.dataset.language = entity.language;
      return made;
    }
    case 'text_link':
      return link(entity.url ?? '', content);
    case 'url':
      return link(text, content);
    case 'email':
      return link(`mailto:${text}`, content);
    case 'mention':
    case 'text_mention':
    case 'hashtag':
    case 'bot_command':
      return element('span', 'mention', content);
    default:
      return content;
  }
}

/**
 * Text with its entities as DOM. Entities nest; one that crosses another's end is cut there. Nothing of the text is
 * ever read as HTML.
 * @param {string} text
 * @param {readonly Entity[]} entities
 * @param {number} [from] in UTF-16 units, as are the entities' offsets
 * @param {number} [to]
 * @returns {DocumentFragment}
 */
export function formatted(text, entities, from = 0, to = text.length) {
  const made = document.createDocumentFragment();
  const inside = entities.filter(({ offset, length }) => offset < to && offset + length > from && length > 0);
  let done = from;
  for (const [index, entity] of inside.entries()) {
    const start = Math.max(entity.offset, done);
    const end = Math.min(entity.offset + entity.length, to);
    if (end <= start) continue;
    made.append(text.slice(done, start));
    made.append(wrap(entity, formatted(text, inside.slice(index + 1), start, end), text.slice(start, end)));
    // A block stands on lines of its own already; the break after it would add an empty one.
    done = blocks.has(entity.type) && text[end] === '\n' ? Math.min(end + 1, to) : end;
  }
  made.append(text.slice(done, to));
  return made;
}
