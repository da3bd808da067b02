// @ts-check
import { act, button, element, showUnread } from './dom.js';
import { Pane } from './pane.js';
import { pageLanguage, speaker } from './words.js';

/** @typedef {import('../view.ts').PlatformView} PlatformView */
/** @typedef {import('../view.ts').LoginView} LoginView */
/** @typedef {import('../view.ts').PageEvent} PageEvent */
/** @typedef {import('../view.ts').CommandView} Command */

const say = speaker(pageLanguage);

/** One platform: its tab, its chats side by side, or one at a time where the screen is narrow. */
export class Platform {
  /** @type {{ pane: Pane, tab: HTMLButtonElement, mark: HTMLElement }[]} */
  #chats;
  #view;
  #mark = element('span', 'unread');
  #login = element('section', 'login');
  #panel;
  /** The platform's tab. */
  tab;

  /** @param {PlatformView} view @param {readonly Command[]} commands @param {() => void} choose */
  constructor(view, commands, choose) {
    this.#view = view;
    this.tab = button('', view.title, choose);
    this.tab.append(this.#mark);
    this.tab.role = 'tab';
    this.tab.id = `tab-${view.key}`;
    this.tab.setAttribute('aria-controls', view.key);
    this.#chats = view.seats.map((seat) => {
      const pane = new Pane(view, seat, commands);
      const mark = element('span', 'unread');
      const tab = button('', pane.title, () => this.#chooseChat(pane));
      tab.append(mark);
      tab.lang = pane.element.lang;
      return { pane, tab, mark };
    });
    const tabs = element('nav', 'chats', ...this.#chats.map(({ tab }) => tab));
    tabs.ariaLabel = say('chats');
    const panes = element('div', 'panes', ...this.#chats.map(({ pane }) => pane.element));
    const hasGroup = view.seats.some(({ kind }) => kind === 'group');
    const remarks = hasGroup ? [] : [element('p', 'remark', say('noGroup', { platform: view.title }))];
    this.#panel = element('div', 'platform', this.#login, tabs, panes, ...remarks);
    this.#panel.id = view.key;
    this.#panel.role = 'tabpanel';
    this.#panel.setAttribute('aria-labelledby', this.tab.id);
    const [first] = this.#chats;
    if (first !== undefined) this.#chooseChat(first.pane);
    this.#showLogin(view.login ?? { waits: false });
    this.look();
  }

  get element() {
    return this.#panel;
  }

  get key() {
    return this.#view.key;
  }

  /** @param {boolean} chosen */
  set chosen(chosen) {
    this.#panel.hidden = !chosen;
    this.tab.ariaSelected = String(chosen);
    this.tab.tabIndex = chosen ? 0 : -1;
    if (chosen) for (const { pane } of this.#chats) pane.toBottom();
    this.look();
  }

  /** All there is, after a new connection. @param {PlatformView} view */
  reset(view) {
    for (const { pane } of this.#chats) pane.reset(view.seats.find(({ key }) => key === pane.key)?.messages ?? []);
    this.#showLogin(view.login ?? { waits: false });
    this.look();
  }

  /** @param {Exclude<PageEvent, { type: 'snapshot' }>} event */
  happen(event) {
    if (event.type === 'login') {
      this.#showLogin(event.login);
      return;
    }
    const pane = this.#chats.find((chat) => chat.pane.key === event.seat)?.pane;
    if (event.type === 'typing') pane?.typing(this.#view.botName.replace(/^@/, ''), event.forMs);
    else pane?.change(event.messages, event.gone);
    this.look();
  }

  /** What is to be seen is read. */
  look() {
    let all = 0;
    for (const { pane, mark } of this.#chats) {
      if (pane.visible) pane.unread = 0;
      all += pane.unread;
      showUnread(mark, pane.unread, say('unread', { count: String(pane.unread) }));
    }
    showUnread(this.#mark, all, say('unread', { count: String(all) }));
  }

  /** On a narrow screen one chat shows at a time. @param {Pane} chosen */
  #chooseChat(chosen) {
    for (const { pane, tab } of this.#chats) {
      pane.element.classList.toggle('chosen', pane === chosen);
      tab.ariaPressed = String(pane === chosen);
    }
    chosen.toBottom();
    this.look();
  }

  /** @param {LoginView} login */
  #showLogin(login) {
    this.#login.hidden = !login.waits;
    if (!login.waits) {
      this.#login.replaceChildren();
      return;
    }
    const picture = element('img', '');
    picture.src = login.picture;
    picture.alt = say('code');
    const scan = button('send', say('scan'), async () => {
      scan.disabled = true;
      scan.disabled = await act({ do: 'scan', platform: this.#view.key });
    });
    this.#login.replaceChildren(
      picture,
      element(
        'div',
        '',
        element('h2', '', say('loginTitle')),
        element('p', '', say('loginHint', { platform: this.#view.title })),
        scan,
      ),
    );
  }
}
