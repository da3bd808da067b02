// @ts-check
import { button, find } from './dom.js';
import { Pane } from './pane.js';

/** @typedef {import('../view.ts').PageEvent} PageEvent */
/** @typedef {import('../view.ts').Snapshot} Snapshot */

/** @type {Map<string, Pane>} */
const panes = new Map();
const main = find('.panes');
const tabs = find('.tabs');
const connection = find('.connection');

/** On a narrow screen one pane shows at a time. @param {string} key */
function choose(key) {
  main.dataset.chosen = key;
  for (const [other, { element }] of panes) element.classList.toggle('chosen', other === key);
  for (const tab of tabs.children) tab.ariaPressed = String(tab instanceof HTMLElement && tab.dataset.pane === key);
}

/** @param {Snapshot} snapshot */
function begin({ panes: views, commands }) {
  for (const view of views) {
    const known = panes.get(view.key);
    if (known !== undefined) {
      known.reset(view, commands);
      continue;
    }
    const pane = new Pane(view, commands);
    panes.set(view.key, pane);
    main.append(pane.element);
    const tab = button('', pane.title, () => choose(view.key));
    tab.dataset.pane = view.key;
    tab.lang = pane.element.lang;
    tabs.append(tab);
  }
  choose(main.dataset.chosen ?? views[0]?.key ?? '');
}

/** @param {PageEvent} event */
function happen(event) {
  if (event.type === 'snapshot') {
    begin(event.snapshot);
    return;
  }
  for (const key of event.panes) {
    const pane = panes.get(key);
    if (pane === undefined) continue;
    if (event.type === 'message') pane.show(event.message);
    else if (event.type === 'remove') pane.remove(event.id);
    else if (event.type === 'typing') pane.typing(event.name, event.forMs);
    else pane.notify(event.text);
  }
}

const events = new EventSource('events');
events.addEventListener('message', ({ data }) => happen(JSON.parse(data)));
events.addEventListener('open', () => {
  connection.hidden = true;
});
// The browser connects again by itself; a snapshot then brings everything up to date.
events.addEventListener('error', () => {
  connection.hidden = false;
});
