/** What adapters call it: the messages of one chat go in order, different chats side by side. */
export { KeyedQueue as Lanes } from '../base/keyed-queue.ts';
