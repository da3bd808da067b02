// @ts-check
import { words } from './words.js';

const texts = document.documentElement.lang.startsWith('zh') ? words.zh : words.en;

/**
 * The page's words in its language.
 * @param {import('./words.js').Word} word
 * @param {Record<string, string>} [values]
 */
export function text(word, values = {}) {
  return texts[word].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/**
 * The element of that id, which the template has.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} "${id}"`);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/**
 * @param {string} label
 * @param {string} className
 * @param {() => void} onClick
 */
export function button(label, className, onClick) {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

const live = byId('status', HTMLElement);

/**
 * Reads something out to those who cannot see it.
 * @param {string} sentence
 */
export function announce(sentence) {
  live.textContent = sentence;
}

const language = document.documentElement.lang;
// The reader's own variety of the language knows whether the day has twice twelve hours.
const locale = navigator.language.slice(0, 2) === language.slice(0, 2) ? navigator.language : language;
const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });

/** @param {number} at */
export function timeOf(at) {
  return timeFormat.format(at);
}

/** @param {number} at */
export function dayOf(at) {
  const day = dayFormat.format(at);
  if (day === dayFormat.format(Date.now())) return text('today');
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  return day === dayFormat.format(yesterday) ? text('yesterday') : day;
}
