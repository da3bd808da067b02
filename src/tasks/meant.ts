import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { TaskDesk } from './desk.ts';
import type { Task } from './port.ts';
import { isOver, OPEN_STATES } from './state.ts';

/** So long after its question a task hears who just speaks where it was asked; later only who replies to it. */
const LISTENS_MS = 3_600_000;
/** Of one person in one chat; more are not told apart by what somebody just says. */
const LOOKED_AT = 50;

/**
 * Does a task hear what is said to it? One that a person has, or that nobody has agreed to, is talked about with the bot;
 * so is one that is over, except by whoever asked for it.
 */
export const listens = ({ assignee, state, requester }: Task, message: InboundMessage): boolean =>
  assignee === null && state !== 'proposed' && (!isOver(state) || requester === senderKey(message));

/**
 * The task that somebody's words are meant for although they are no reply to it: the only one that waits for their
 * answer, or the only open one whose request has begun this topic. Null: they talk to the bot as ever.
 */
export async function meantTask(
  desk: TaskDesk,
  message: InboundMessage,
  chat: string,
  now: number,
): Promise<Task | null> {
  const { channel, topic } = message;
  const theirs = await desk.list({ channel, chat, user: senderKey(message), states: OPEN_STATES }, LOOKED_AT);
  const here = theirs.filter((task) => listens(task, message) && task.message.topic === topic);
  const waiting = here.filter(({ state, updatedAt }) => state === 'waiting' && now - updatedAt < LISTENS_MS);
  const begun = topic === undefined ? [] : here.filter(({ message: { id } }) => id === topic);
  const [one, ...others] = waiting.length > 0 ? waiting : begun;
  if (one === undefined || others.length > 0) return null;
  // One that waits for its parts waits for nobody's words.
  const parts = await desk.list({ parent: one.id, states: OPEN_STATES }, 1);
  return parts.length > 0 ? null : one;
}
