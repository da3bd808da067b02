import { imUserKey } from '../base/ids.ts';
import { isAtLeast } from '../base/roles.ts';
import { type Language, type Sentence, say } from '../base/sentences.ts';
import { dedupeKey, type InboundMessage } from '../channel/message.ts';
import { asTyped } from './as-typed.ts';
import { calling } from './call.ts';
import { lineOf, pressedTask, shortId, stateWord, type TaskAction } from './card.ts';
import type { Actor, Changed, TaskDesk } from './desk.ts';
import type { Task, TaskFilter } from './port.ts';
import { OPEN_STATES } from './state.ts';

/** Who asks for something about tasks, and where. */
export interface TaskScene {
  readonly desk: TaskDesk;
  readonly message: InboundMessage;
  /** The chat's id as it is now. */
  readonly chat: string;
  readonly by: Actor;
  readonly language: Language;
}

const LISTED = 20;
const LOGGED = 30;

/** `/task TEXT`, or as a reply to the message that it is about. Null: the card says the rest. */
export async function taskCommand(scene: TaskScene, args: string, assistant: string): Promise<string | null> {
  const { desk, message, by, language } = scene;
  const text = args === '' ? (message.quote?.text ?? '').trim() : args;
  if (text === '') return say(language, 'task_usage');
  const origin = `message/${dedupeKey(message)}`;
  const made = await desk.make({ origin, message: { ...message, text }, role: by.role, language, assistant });
  return 'task' in made ? null : fullness(scene, made.refused);
}

/**
 * Somebody reacted to a message in a way that makes a task of it. `original`: the message; null: the bot has not read it.
 */
export async function reactTask(
  scene: TaskScene,
  original: { readonly name: string; readonly text: string } | null,
  assistant: string,
): Promise<string | null> {
  const { desk, message, chat, by, language } = scene;
  const about = message.quote?.messageId;
  if (about === undefined || !isAtLeast(by.role, 'member')) return null;
  if (original === null) return say(language, 'task_unread');
  const { name: author, text } = original;
  const request: InboundMessage = {
    ...message,
    // The result is a reply to what the task is about.
    id: about,
    kind: 'message',
    text: say(language, 'task_of_message'),
    quote: { messageId: about, author, fromBot: false, text, files: [] },
  };
  // However many react to it, it is one task.
  const origin = `reaction/${message.channel}/${chat}/${about}`;
  const made = await desk.make({ origin, message: request, role: by.role, language, assistant, title: text });
  return 'task' in made ? null : fullness(scene, made.refused);
}

/** Why there cannot be another task. */
function fullness({ desk, language }: Pick<TaskScene, 'desk' | 'language'>, why: 'perPerson' | 'perChat' | 'hops') {
  return why === 'hops' ? say(language, 'task_hops') : say(language, `task_full_${why}`, { most: desk.limits[why] });
}

/** `/tasks`, `/tasks here`, `/tasks all`, `/tasks show|log|cancel|… ID`. */
export async function tasksCommand(scene: TaskScene, args: string): Promise<string | null> {
  const [word = '', id = '', rest = ''] = split(args);
  const { by, language, message, chat } = scene;
  const here = { channel: message.channel, chat };
  if (word === '') return list(scene, { user: by.key });
  if (word === 'here') return list(scene, here);
  if (word === 'all') return isAtLeast(by.role, 'operator') ? list(scene, {}) : say(language, 'operators_only');
  const verb = VERBS[word];
  if (verb === undefined) return say(language, 'tasks_usage');
  const found = await named(scene, id);
  return typeof found === 'string' ? found : verb(scene, found, rest);
}

/** The first two words, and what is left. */
const split = (args: string): readonly string[] => {
  const [, word = '', id = '', rest = ''] = /^(\S*)\s*(\S*)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
  return [word.toLowerCase(), id.replace(/^#/, '').toLowerCase(), rest];
};

type Verb = (scene: TaskScene, task: Task, rest: string) => string | null | Promise<string | null>;

const VERBS: Readonly<Partial<Record<string, Verb>>> = {
  show: ({ language }, task) => shown(task, language),
  log: async ({ desk, language }, task) => {
    const events = (await desk.events(task.id)).slice(-LOGGED);
    const lines = events.map(
      ({ at, kind, actor }) => `- ${new Date(at).toISOString().slice(0, 19)}Z ${kind} — ${asTyped(actor)}`,
    );
    return `${lineOf(task, language)}\n\n${lines.join('\n')}`;
  },
  answer: async (scene, task, rest) => {
    if (rest === '') return say(scene.language, 'tasks_usage');
    const { desk, message, by } = scene;
    return refusal(await desk.tell(task, { ...message, text: rest }, by, told(message)), scene.language);
  },
  assign,
  cancel: (scene, task) => did(scene, task, 'cancel'),
  accept: (scene, task) => did(scene, task, 'accept'),
  refuse: (scene, task) => did(scene, task, 'refuse'),
  done: (scene, task) => did(scene, task, 'done'),
};

/** To the person who is mentioned, to `me`, or back to the assistant. */
async function assign({ desk, message, by, language }: TaskScene, task: Task, rest: string): Promise<string> {
  const word = rest.trim().toLowerCase();
  const { channelType, tenant, mentions, sender } = message;
  const to = ME.has(word) ? sender : mentions.find(({ name }) => rest.includes(name));
  if (to === undefined && !BOT.has(word) && word !== task.assistant.toLowerCase())
    return say(language, 'task_assign_usage', { id: shortId(task) });
  const assignee = to === undefined ? null : { key: imUserKey({ channelType, tenant, user: to.id }), name: to.name };
  const changed = await desk.assign(task, assignee, by);
  const refused = refusal(changed, language);
  if (refused !== null || to === undefined) return refused ?? changedTo(changed.task, language);
  const values = { title: asTyped(task.title), id: shortId(task) };
  return `${calling(to.id, to.name, desk.can(message.channel))} ${say(language, 'task_yours', values)}`;
}

const ME = new Set(['me', '我']);
const BOT = new Set(['bot', '机器人', '助手']);

const CHANGE = { cancel: 'cancel', refuse: 'cancel', accept: 'accept', done: 'finish' } as const;

async function did({ desk, by, language }: TaskScene, task: Task, action: TaskAction): Promise<string> {
  const changed = await desk.change(task, CHANGE[action], by);
  return refusal(changed, language) ?? changedTo(changed.task, language);
}

const changedTo = (task: Task, language: Language): string =>
  say(language, 'task_changed', { title: asTyped(task.title), state: stateWord(task, language) });

/** Why nothing was changed; null when it was. */
function refusal(changed: Changed, language: Language): string | null {
  if (!('refused' in changed)) return null;
  const { task, refused } = changed;
  const values: Readonly<Record<typeof refused, readonly [Sentence, Readonly<Record<string, string>>]>> = {
    not_yours: ['task_not_yours', {}],
    not_now: ['task_not_now', { state: stateWord(task, language) }],
  };
  return say(language, ...values[refused]);
}

async function list({ desk, language }: TaskScene, filter: TaskFilter): Promise<string> {
  const open = await desk.list({ ...filter, states: OPEN_STATES }, LISTED);
  if (open.length === 0) return say(language, 'tasks_none');
  return `${say(language, 'tasks_open')}\n\n${open.map((task) => `- ${lineOf(task, language)}`).join('\n')}`;
}

/** The one task that an id means: of this chat, or of the asker; for operators any. Otherwise what to say. */
async function named({ desk, message, chat, by, language }: TaskScene, prefix: string): Promise<Task | string> {
  if (!/^[0-9a-z]{3,}$/.test(prefix)) return say(language, 'tasks_usage');
  const all = await desk.list({ prefix }, LISTED);
  const near = all.filter((task) => task.channel === message.channel && task.chat === chat);
  const theirs = all.filter((task) => task.requester === by.key || task.assignee?.key === by.key);
  const found = [near, theirs, isAtLeast(by.role, 'operator') ? all : []].find((some) => some.length > 0) ?? [];
  const [one, ...others] = found;
  if (one === undefined) return say(language, 'task_unknown');
  return others.length === 0 ? one : say(language, 'task_ambiguous', { ids: found.map(shortId).join(', ') });
}

function shown(task: Task, language: Language): string {
  const { text } = task.message;
  const parts = [lineOf(task, language), ...(text === task.title ? [] : [asTyped(text)])];
  return [...parts, ...(task.summary === null ? [] : [task.summary])].join('\n\n');
}

/** A button of a card was pressed, by whoever. Null: the card says what became of it. */
export async function pressTask(scene: TaskScene): Promise<string | null> {
  const { desk, by, language, message, chat } = scene;
  const pressed = pressedTask(message.text);
  const task = pressed === null ? null : await desk.get(pressed.id);
  if (pressed === null || task === null || task.channel !== message.channel || task.chat !== chat)
    return say(language, 'task_unknown');
  return refusal(await desk.change(task, CHANGE[pressed.action], by), language);
}

/** Somebody says something about a task. Null: it is on its way. */
export async function tellTask({ desk, message, by, language }: TaskScene, task: Task): Promise<string | null> {
  return refusal(await desk.tell(task, message, by, told(message)), language);
}

const told = (message: InboundMessage): string => `task/${dedupeKey(message)}`;
