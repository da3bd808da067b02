// @ts-check
import { ApiError, call } from './api.js';
import { announce, byId, element, text } from './dom.js';

/** @typedef {import('./api.js').Setup} Setup */

/** @type {Record<string, import('./words.js').Word>} */
const sentences = {
  unauthorized: 'failUnauthorized',
  forbidden: 'failUnauthorized',
  not_found: 'failNotFound',
  unavailable: 'failUnavailable',
  timeout: 'failTimeout',
  rate_limited: 'failRateLimited',
  bad_input: 'failNotUnderstood',
  stream_broken: 'failNotUnderstood',
  no_credit: 'failNoCredit',
};

/**
 * Which model answers: the label that says so, and the card that changes it.
 * @param {{ onChange: () => void, onDone: () => void }} on `onChange`: the page's height changed. `onDone`: the card is closed.
 */
export function createSetup({ onChange, onDone }) {
  const card = byId('setup', HTMLElement);
  const form = byId('setup-form', HTMLFormElement);
  const baseUrl = byId('base-url', HTMLInputElement);
  const apiKey = byId('api-key', HTMLInputElement);
  const modelName = byId('model-name', HTMLInputElement);
  const problem = byId('setup-problem', HTMLElement);
  const save = byId('setup-save', HTMLButtonElement);
  const demo = byId('setup-demo', HTMLButtonElement);
  const demoOffer = byId('setup-offer', HTMLElement);
  const cancel = byId('setup-cancel', HTMLButtonElement);
  const strip = byId('demo', HTMLElement);
  const connect = byId('connect', HTMLButtonElement);
  const label = byId('model', HTMLElement);
  const change = byId('change', HTMLButtonElement);
  /** @type {Setup | null} */
  let setup = null;
  /** @type {HTMLElement | null} */
  let opener = null;

  /** @param {boolean} open */
  const toggle = (open) => {
    card.hidden = !open;
    onChange();
  };

  /** @param {Setup} next */
  const show = (next) => {
    const changed = setup?.model !== next.model;
    setup = next;
    const none = next.model === 'none';
    strip.hidden = next.model !== 'demo';
    connect.hidden = !next.editable;
    const name = next.model === 'configured' ? (next.name ?? '') : '';
    label.textContent = name;
    label.hidden = name === '' || next.editable;
    change.textContent = name;
    change.hidden = name === '' || !next.editable;
    change.setAttribute('aria-label', `${text('changeModel')}: ${name}`);
    change.title = text('changeModel');
    cancel.hidden = none;
    demoOffer.hidden = next.model === 'demo';
    if (none && next.editable) {
      if (next.problem !== undefined) problem.textContent = next.problem;
      fillIn();
      toggle(true);
    } else if (changed) toggle(false);
    else onChange();
  };

  const fillIn = () => {
    if (baseUrl.value === '') baseUrl.value = setup?.base_url ?? '';
    if (modelName.value === '' && setup?.base_url !== undefined) modelName.value = setup?.name ?? '';
  };

  /** @param {HTMLElement} from */
  const open = (from) => {
    opener = from;
    fillIn();
    toggle(true);
    card.scrollIntoView({ block: 'end' });
    baseUrl.focus();
  };
  const close = () => {
    problem.textContent = '';
    toggle(false);
    if (opener !== null && !opener.hidden) opener.focus();
    else onDone();
    opener = null;
  };

  /** @param {unknown} error */
  const complain = (error) => {
    if (!(error instanceof ApiError)) {
      problem.textContent = text('failNetwork');
      return;
    }
    problem.replaceChildren(...wordsFor(error).flatMap((part) => [part, ' ']));
  };

  /**
   * One sentence in the language of the page, and in English only what it cannot say.
   * @param {ApiError} error
   */
  const wordsFor = ({ status, code, message, more: { reason, suggestion } }) => {
    /** @param {string} words */
    const detail = (words) => {
      const span = element('span', 'detail', words);
      span.lang = 'en';
      return span;
    };
    if (suggestion !== undefined) return [text('failNotFound'), text('tryInstead', { url: suggestion })];
    if (status === 400 || status === 413) return [text('failInput'), detail(message)];
    if (code === 'unauthorized' && apiKey.value === '') return [text('failKeyMissing')];
    const word = sentences[code];
    if (word === undefined) return [text('failOther'), detail(message)];
    return code === 'unavailable' && reason !== undefined ? [text(word), detail(`(${reason})`)] : [text(word)];
  };

  /** @param {() => Promise<Setup>} work */
  const during = async (work) => {
    problem.textContent = '';
    for (const control of [save, demo]) control.disabled = true;
    try {
      show(await work());
      apiKey.value = '';
      close();
      onDone();
      announce(text('saved'));
    } catch (error) {
      complain(error);
      onChange();
      save.scrollIntoView({ block: 'nearest' });
    } finally {
      save.textContent = text('testAndSave');
      for (const control of [save, demo]) control.disabled = false;
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save.textContent = text('testing');
    const body = { base_url: baseUrl.value, api_key: apiKey.value, model: modelName.value };
    void during(() => call('POST', '/api/v1/setup/model', body));
  });
  demo.addEventListener('click', () => void during(() => call('POST', '/api/v1/setup/demo')));
  cancel.addEventListener('click', close);
  card.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || cancel.hidden) return;
    event.preventDefault();
    close();
  });
  connect.addEventListener('click', () => open(connect));
  change.addEventListener('click', () => open(change));

  return {
    /** Asks the server how things are. */
    refresh: async () => {
      try {
        show(await call('GET', '/api/v1/setup'));
      } catch {
        // The connection's own hint says that the server is away; the next refresh will tell.
      }
    },
  };
}
