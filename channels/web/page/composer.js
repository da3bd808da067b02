// @ts-check
import { createAttachments } from './attachments.js';
import { byId } from './dom.js';

const STORAGE_KEY = 'antler.draft';

/**
 * The message box, with the files that go with the message.
 * @param {object} on
 * @param {(text: string, attached: { id: string, files: import('./attachments.js').Attached[] }) => void} on.onSend
 * @param {() => void} on.onStop
 */
export function createComposer({ onSend, onStop }) {
  const form = byId('composer', HTMLFormElement);
  const box = byId('text', HTMLTextAreaElement);
  const send = byId('send', HTMLButtonElement);
  const stop = byId('stop', HTMLButtonElement);

  const attachments = createAttachments({ onChange: () => settle() });
  const isReady = () => !attachments.busy() && (box.value.trim() !== '' || attachments.any());

  const settle = () => {
    send.disabled = !isReady();
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`;
    sessionStorage.setItem(STORAGE_KEY, box.value);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isReady()) return;
    const words = box.value.trim();
    box.value = '';
    onSend(words, attachments.take());
    settle();
    box.focus();
  });
  box.addEventListener('input', settle);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  stop.addEventListener('click', () => {
    onStop();
    box.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || isComposing(event) || event.defaultPrevented || stop.hidden) return;
    event.preventDefault();
    onStop();
  });

  box.value = sessionStorage.getItem(STORAGE_KEY) ?? '';
  settle();
  // On a phone, focus would open the keyboard over the page.
  if (matchMedia('(pointer: fine)').matches) box.focus();

  return {
    /** @param {boolean} running */
    setRunning: (running) => {
      const hadFocus = document.activeElement === stop;
      stop.hidden = !running;
      if (hadFocus && !running) box.focus();
    },
    focus: () => box.focus(),
    /**
     * Takes up a message again that was not sent.
     * @param {import('./outbox.js').Unsent} unsent
     */
    fill: ({ id, text, files = [] }) => {
      attachments.restore({ id, files });
      box.value = text;
      settle();
      box.focus();
    },
  };
}

/**
 * With an input method (Chinese, Japanese, …) Enter and Escape choose or drop the proposal. Safari ends the
 * composition before that Enter arrives and marks it by key code 229 alone.
 * @param {KeyboardEvent} event
 */
function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
