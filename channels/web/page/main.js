// @ts-check
import { createActivity } from './activity.js';
import { call } from './api.js';
import { createComposer } from './composer.js';
import { announce, button, byId, text } from './dom.js';
import { listen } from './events.js';
import { createHistory } from './history.js';
import { createOutbox } from './outbox.js';
import { createSetup } from './setup.js';

/** A question that is younger than this when the page opens is still being answered, in milliseconds. */
const RECENT_MS = 20_000;

const typing = byId('typing', HTMLElement);
const connection = byId('connection', HTMLElement);
const signOut = byId('sign-out', HTMLButtonElement);

const history = createHistory({ onUnknown: () => events.again() });

const activity = createActivity(({ running, writing }) => {
  composer.setRunning(running);
  typing.hidden = !running || writing;
  history.follow();
});

const composer = createComposer({
  onSend: (words, attached) => outbox.add(words, attached),
  onStop: async () => {
    announce(text('stopping'));
    try {
      const { stopped } = await call('POST', '/api/v1/chat/stop');
      if (!stopped) activity.rest();
    } catch {
      announce(text('stopFailed'));
    }
  },
});

const outbox = createOutbox({
  state: (unsent, state) => {
    const item = history.addUnsent(unsent);
    switch (state.kind) {
      case 'sending':
        return item.note();
      case 'waiting':
        return item.note(
          text('unsent'),
          ' ',
          button(text('sendNow'), 'link', () => void outbox.flush()),
        );
      case 'refused': {
        const reason = text(state.code === 'too_large' ? 'tooLong' : 'notTaken');
        const forget = () => {
          outbox.drop(unsent.id);
          history.remove(unsent.id);
        };
        const edit = () => {
          forget();
          composer.fill(unsent);
        };
        item.note(
          text('refused', { reason }),
          ' ',
          button(text('editAgain'), 'link', edit),
          ' ',
          button(text('discard'), 'link', forget),
        );
      }
    }
  },
  sent: (message) => {
    history.add(message, false);
    // The answer may have come before this did.
    if (history.newest()?.author === 'person') activity.asked();
  },
});

const setup = createSetup({ onChange: () => history.follow(), onDone: () => composer.focus() });

const events = listen({
  sync: (page) => {
    for (const { id } of page.messages) outbox.drop(id);
    history.sync(page);
    activity.rest();
    const newest = page.messages.at(-1);
    if (newest?.author === 'person' && Date.now() - newest.at < RECENT_MS) activity.asked();
    void outbox.flush();
    void setup.refresh();
  },
  message: ({ message, draft }) => {
    if (message.author === 'person') outbox.drop(message.id);
    history.add(message, draft);
    if (message.author === 'bot') activity.answer(message.id, draft);
    else activity.asked();
  },
  edit: ({ id, html, draft }) => {
    activity.answer(id, draft);
    history.edit(id, html, draft);
  },
  typing: ({ lastsMs }) => activity.typing(lastsMs),
  state: (connected) => {
    if (connected && !connection.hidden) announce(text('back'));
    connection.hidden = connected;
    document.body.classList.toggle('offline', !connected);
  },
});

byId('new', HTMLButtonElement).addEventListener('click', () => {
  outbox.add('/new');
  composer.focus();
});

// Another tab may have changed the model.
addEventListener('focus', () => void setup.refresh());

signOut.addEventListener('click', async () => {
  await call('DELETE', '/api/v1/session').catch(() => {});
  location.reload();
});
call('GET', '/api/v1/session').then(
  ({ needs_login }) => {
    signOut.hidden = !needs_login;
  },
  () => {},
);
