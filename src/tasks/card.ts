import { durationIn } from '../base/duration.ts';
import { parseImUserKey } from '../base/ids.ts';
import { type Language, type Sentence, say } from '../base/sentences.ts';
import type { Button, Capabilities, Document } from '../channel/port.ts';
import { asTyped } from './as-typed.ts';
import { calling } from './call.ts';
import type { Task, TaskState } from './port.ts';
import { isOver } from './state.ts';

/** How a task stands besides what is kept of it. */
export interface Stand {
  readonly now: number;
  /** Tools that its run has used. */
  readonly steps?: number;
  /** What is being done, in one line. */
  readonly doing?: string;
}

/** What the card's platform can show. */
type Can = Pick<Capabilities, 'buttons' | 'mentions'>;

/** What somebody does with a button, or by `/tasks …`. */
export const TASK_ACTIONS = ['cancel', 'accept', 'refuse', 'done'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** By so many letters people name a task; as a rule no two of a chat share them. */
const SHORT_ID_CHARS = 5;
const MAX_DOING_CHARS = 200;

const MARKS: Readonly<Record<TaskState, string>> = {
  proposed: '📝',
  accepted: '🕒',
  running: '⏳',
  waiting: '❓',
  done: '✅',
  failed: '⚠️',
  cancelled: '🚫',
  expired: '⌛',
};

export const shortId = ({ id }: Pick<Task, 'id'>): string => id.slice(0, SHORT_ID_CHARS);

export const stateWord = ({ state }: Pick<Task, 'state'>, language: Language): string =>
  say(language, `task_state_${state}` satisfies Sentence);

/** A task on one line of a list. */
export const lineOf = (task: Task, language: Language): string =>
  `${MARKS[task.state]} \`${shortId(task)}\` ${asTyped(task.title)} — ${stateWord(task, language)}, ${whose(task, language)}`;

/** Shows how a task stands. Where there are no buttons, words say what to send instead. */
export function cardOf(
  task: Task,
  { now, steps = 0, doing = '' }: Stand,
  { buttons: hasButtons, mentions }: Can,
): Document {
  const { language, state } = task;
  const end = isOver(state) ? task.updatedAt : now;
  const facts = [
    stateWord(task, language),
    whose(task, language),
    ...(task.deadlineAt === null ? [] : [say(language, 'task_due', { at: dueIn(language, task.deadlineAt) })]),
    ...(steps > 0 ? [say(language, 'task_steps', { steps })] : []),
    ...(end - task.createdAt >= 1_000 ? [durationIn(language, end - task.createdAt)] : []),
  ];
  const buttons = buttonsOf(task);
  const lines = [
    `${MARKS[state]} **${asTyped(task.title)}**\n${facts.join(' · ')}`,
    ...(mentions ? calledOn(task) : []),
    ...(doing === '' || isOver(state) ? [] : [`_${asTyped(oneLine(doing))}_`]),
    ...(hasButtons || buttons.length === 0 ? [] : [say(language, 'task_hint', { commands: commandsFor(task) })]),
  ];
  return { markdown: lines.join('\n\n'), ...(hasButtons && buttons.length > 0 ? { buttons } : {}) };
}

/** It says by which clock, since people of one chat may live by several. */
const dueIn = (language: Language, at: number): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;

/** A human who has a task is called by its card, on platforms where that reaches them. */
function calledOn({ assignee, state, message }: Task): readonly string[] {
  if (assignee === null || isOver(state) || message.chat.kind === 'dm') return [];
  const { user } = parseImUserKey(assignee.key);
  return [`→ ${calling(user, assignee.name, { mentions: true })}`];
}

/** Who wants it, and who does it. */
function whose({ message, assignee, assistant }: Task, language: Language): string {
  const by = assignee?.name ?? assistant;
  const { name } = message.sender;
  // Some platforms tell nobody's name.
  if (name === '') return say(language, 'task_by', { by: asTyped(by) });
  return say(language, 'task_whose', { for: asTyped(name), by: asTyped(by) });
}

function actionsOf({ state, assignee }: Task): readonly TaskAction[] {
  if (isOver(state)) return [];
  if (state === 'proposed') return ['accept', 'refuse'];
  return assignee === null ? ['cancel'] : ['done', 'cancel'];
}

const buttonsOf = (task: Task): readonly Button[] =>
  actionsOf(task).map((action) => ({
    label: say(task.language, `task_button_${action}` satisfies Sentence),
    value: `task:${task.id}:${action}`,
  }));

const commandsFor = (task: Task): string =>
  actionsOf(task)
    .map((action) => `\`/tasks ${action} ${shortId(task)}\``)
    .join(', ');

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_DOING_CHARS ? `${line.slice(0, MAX_DOING_CHARS).toWellFormed()}…` : line;
};

/** A pressed button of a card; null for one of anything else. */
export function pressedTask(value: string): { readonly id: Task['id']; readonly action: TaskAction } | null {
  const [mark, id = '', word] = value.split(':');
  const action = TASK_ACTIONS.find((known) => known === word);
  return mark === 'task' && id !== '' && action !== undefined ? { id: id as Task['id'], action } : null;
}
