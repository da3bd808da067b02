import type { Language } from '../base/sentences.ts';
import { say } from '../base/sentences.ts';
import type { ChannelEntry } from '../channel/book.ts';
import { calling } from '../tasks/call.ts';
import { shortId } from '../tasks/card.ts';
import { taskTarget } from '../tasks/deliveries.ts';
import type { Task } from '../tasks/port.ts';
import type { AnswerAddress } from './deliveries.ts';

/** What a chat is told of a result in the message itself; more goes along as a file. */
const MAX_CHARS = 1_500;

/** Where what comes of a task goes: to the request. */
export function taskAddress(address: AnswerAddress, task: Task): AnswerAddress {
  const { answers = [] } = address.target;
  return { ...address, task: task.id, target: { ...taskTarget(task), answers: answers.filter((id) => id !== '') } };
}

/** What the model is told of it besides what is to be done. */
export const calledTask = ({ title, deadlineAt }: Task): string =>
  deadlineAt === null ? title : `${title} (by ${new Date(deadlineAt).toISOString()})`;

/** What comes of a task as people read it: who asked for it is called. */
export function taskText(text: string, task: Task, { manifest }: ChannelEntry, isQuestion: boolean): string {
  const { sender, chat } = task.message;
  const { capabilities } = manifest;
  // A platform calls people by their ids; only words need a name.
  const calls = chat.kind === 'group' && (sender.name !== '' || capabilities.mentions);
  const whom = calling(sender.id, sender.name, capabilities);
  const hint = isQuestion ? [`_${say(task.language, 'task_answer_hint', { id: shortId(task) })}_`] : [];
  return [...(calls ? [whom] : []), text, ...hint].join('\n\n');
}

/** The first part of a long result, cut between paragraphs; null when it is short enough. */
export function shortened(text: string, language: Language): string | null {
  if (text.length <= MAX_CHARS) return null;
  const head = text.slice(0, MAX_CHARS);
  const cut = [head.lastIndexOf('\n\n'), head.lastIndexOf('\n'), head.lastIndexOf(' ')].find(
    (at) => at > MAX_CHARS / 2,
  );
  const fences = head.slice(0, cut).split(/^```/m).length - 1;
  const kept = `${head
    .slice(0, cut ?? MAX_CHARS)
    .toWellFormed()
    .trimEnd()}${fences % 2 === 1 ? '\n```' : ' …'}`;
  return `${kept}\n\n_${say(language, 'task_cut')}_`;
}
