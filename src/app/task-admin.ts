import { randomUUID } from 'node:crypto';
import type { TaskAdmin, TaskAsked, TaskView } from '../admin/tasks.ts';
import { AntlerError } from '../base/errors.ts';
import { type ImUserKey, parseImUserKey, type TaskId } from '../base/ids.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Actor, TaskDesk } from '../tasks/desk.ts';
import type { Task } from '../tasks/port.ts';
import { OPEN_STATES } from '../tasks/state.ts';
import { channelBook } from './channels.ts';
import type { Rooms } from './rooms.ts';

/** Who does what is done through the API, in the events. */
const OWNER: Actor = { key: 'owner' as ImUserKey, role: 'owner' };
const CHATS_MOST = 100_000;

/** The owner's side of tasks. */
export function taskAdmin({ config, store, clock }: Rooms, desk: TaskDesk): TaskAdmin {
  const channels = channelBook(config);

  async function known(id: string): Promise<Task> {
    const task = await desk.get(id as TaskId);
    if (task === null) throw new AntlerError('not_found', `There is no task ${JSON.stringify(id.slice(0, 40))}.`);
    return task;
  }

  /** The request as its requester would have sent it. */
  async function messageOf({ channel, chat, requester, text }: TaskAsked): Promise<InboundMessage> {
    const { channelType, tenant, user } = parseImUserKey(requester);
    const entry = channels.get(channel);
    const [who, chats] = await Promise.all([store.imUsers.get(requester), store.chats.list(channel, 0, CHATS_MOST)]);
    const place = chats.find((one) => one.chat === chat);
    if (entry === undefined || place === undefined)
      throw new AntlerError('not_found', 'channel, chat: nobody has ever spoken to the bot there');
    if (who === null || entry.manifest.type !== channelType)
      throw new AntlerError('not_found', 'requester: nobody on this channel whom the bot knows');
    return {
      ...{ channel, channelType: entry.manifest.type, tenant, text },
      chat: { id: chat, kind: place.kind, ...(place.title === null ? {} : { title: place.title }) },
      // There is no message that it could be a reply to.
      id: '',
      kind: 'message',
      sender: { id: user, name: who.name, isBot: false },
      sentAt: clock.now(),
      addressed: 'command',
      mentions: [],
      files: [],
    };
  }

  return {
    list: async ({ open, limit }) => (await desk.list(open ? { states: OPEN_STATES } : {}, limit)).map(viewOf),
    show: async (id) => {
      const task = await known(id);
      const events = (await desk.events(task.id)).map(({ task: _, ...event }) => event);
      return { task: viewOf(task), events };
    },
    add: async (asked) => {
      const assistant = asked.assistant ?? config.assistant_id;
      if (config.assistants[assistant] === undefined)
        throw new AntlerError('not_found', `assistant: there is none named ${JSON.stringify(assistant)}`);
      const message = await messageOf(asked);
      const who = await store.imUsers.get(asked.requester);
      const made = await desk.make({
        origin: `api/${asked.key ?? randomUUID()}`,
        ...{ message, role: 'member', language: who?.chosenLanguage ?? config.language ?? 'en', assistant },
        ...(asked.title === undefined ? {} : { title: asked.title }),
        ...(asked.deadline_at === undefined ? {} : { deadlineAt: asked.deadline_at }),
      });
      if ('refused' in made) throw new AntlerError('conflict', `There are too many open tasks (${made.refused}).`);
      return viewOf(made.task);
    },
    cancel: async (id) => {
      const changed = await desk.change(await known(id), 'cancel', OWNER);
      if ('refused' in changed) throw new AntlerError('conflict', `The task is ${changed.task.state}.`);
      return viewOf(changed.task);
    },
  };
}

const viewOf = (task: Task): TaskView => ({
  ...{ id: task.id, title: task.title, text: task.message.text, state: task.state },
  ...{ channel: task.channel, chat: task.chat, requester: task.requester, assistant: task.assistant },
  ...{ assignee: task.assignee?.key ?? null, parent: task.parent, deadline_at: task.deadlineAt },
  ...{ created_at: task.createdAt, updated_at: task.updatedAt, summary: task.summary },
});
