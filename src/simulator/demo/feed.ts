import { type ChatEvent, displayName } from '../telegram/index.ts';
import type { Cast } from './cast.ts';
import { messageView, type PageEvent, snapshotOf } from './view.ts';

/** What an event in Telegram means for the page; undefined when nobody on the page sees it. */
export function pageEvent(event: ChatEvent, cast: Cast): PageEvent | undefined {
  const watching = cast.panes.filter(({ chat }) => chat === event.chat);
  const panes = watching.map(({ key }) => key);
  if (panes.length === 0) return undefined;
  switch (event.type) {
    case 'message':
    case 'edit':
    case 'reaction':
      return { type: 'message', panes, message: messageView(event.message) };
    case 'delete':
      return { type: 'remove', panes, id: event.message.id };
    case 'typing': {
      const forMs = Math.max(0, Math.round(event.until - (performance.timeOrigin + performance.now())));
      return { type: 'typing', panes, name: displayName(event.user), forMs };
    }
    case 'pressed': {
      const { answer, by } = event.press;
      const mine = watching.filter(({ person }) => person.user.id === by.id).map(({ key }) => key);
      return answer === undefined || answer.text === ''
        ? undefined
        : { type: 'answer', panes: mine, text: answer.text };
    }
    case 'members':
    case 'migrated':
      return { type: 'snapshot', snapshot: snapshotOf(cast) };
    default:
      return event satisfies never;
  }
}
