// @ts-check
import { find } from './dom.js';
import { Platform } from './platform.js';
import { pageLanguage, speaker } from './words.js';

/** @typedef {import('../view.ts').PageEvent} PageEvent */
/** @typedef {import('../view.ts').Snapshot} Snapshot */

const say = speaker(pageLanguage);
/** @type {Platform[]} */
const platforms = [];
const main = find('main');
const tabs = find('.platforms');
const connection = find('.connection');

document.documentElement.lang = pageLanguage === 'zh' ? 'zh-CN' : 'en';
find('.about').textContent = say('about');
connection.textContent = say('reconnecting');
tabs.ariaLabel = say('platforms');

/** @param {Platform} chosen */
function choose(chosen) {
  for (const platform of platforms) platform.chosen = platform === chosen;
  chosen.tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  // So that a reload stays where one was.
  history.replaceState(null, '', `#${chosen.key}`);
}

tabs.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = platforms.findIndex(({ tab }) => tab === document.activeElement);
  const next = step === undefined ? undefined : platforms.at((at + step) % platforms.length);
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  choose(next);
  next.tab.focus();
});

/** @param {Snapshot} snapshot */
function begin({ platforms: views, commands }) {
  for (const view of views) {
    const known = platforms.find(({ key }) => key === view.key);
    if (known !== undefined) {
      known.reset(view);
      continue;
    }
    const platform = new Platform(view, commands, () => choose(platform));
    platforms.push(platform);
    main.append(platform.element);
    tabs.append(platform.tab);
  }
  if (platforms.some(({ tab }) => tab.ariaSelected === 'true')) return;
  const wanted = platforms.find(({ key }) => `#${key}` === location.hash) ?? platforms[0];
  if (wanted !== undefined) choose(wanted);
}

/** @param {PageEvent} event */
function happen(event) {
  if (event.type === 'snapshot') begin(event.snapshot);
  else platforms.find(({ key }) => key === event.platform)?.happen(event);
}

addEventListener('resize', () => {
  for (const platform of platforms) platform.look();
});

const events = new EventSource('events');
events.addEventListener('message', ({ data }) => happen(JSON.parse(data)));
events.addEventListener('open', () => {
  connection.hidden = true;
});
// The browser connects again by itself; a snapshot then brings everything up to date.
events.addEventListener('error', () => {
  connection.hidden = false;
});
