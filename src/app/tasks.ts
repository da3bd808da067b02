import { asAntlerError } from '../base/errors.ts';
import { taskOfDelivery, threadKey } from '../base/ids.ts';
import { say } from '../base/sentences.ts';
import type { NewDelivery } from '../bus/port.ts';
import { senderKey } from '../channel/message.ts';
import type { CommandScene, Handler } from '../intake/commands/scene.ts';
import type { Concern } from '../intake/concern.ts';
import type { TurnPayload } from '../runs/turn-input.ts';
import { pressedTask } from '../tasks/card.ts';
import { pressTask, reactTask, type TaskScene, taskCommand, tasksCommand, tellTask } from '../tasks/command.ts';
import { isCard } from '../tasks/deliveries.ts';
import { createTaskDesk, type TaskDesk } from '../tasks/desk.ts';
import { startKeeper } from '../tasks/keeper.ts';
import { listens, meantTask } from '../tasks/meant.ts';
import { channelBook } from './channels.ts';
import { earlierWords } from './earlier-words.ts';
import type { Rooms } from './rooms.ts';

const HOUR_MS = 3_600_000;

/** The desk for delegated work. Its turns go the way of all others. */
export function taskDeskOf({ config, bus, store, clock, log }: Rooms): TaskDesk {
  const { per_person: perPerson, per_chat: perChat, max_hops: maxHops } = config.tasks;
  return createTaskDesk({
    store,
    bus,
    channels: channelBook(config),
    limits: { perPerson, perChat },
    maxHops,
    clock,
    log,
    publish: async (task, message, role, key) => {
      const { id, channel, chat, thread, assistant: assistantId, language } = task;
      const place = threadKey({ channel, chat, task: id });
      const payload: TurnPayload = { message, place, assistantId, language, role, task: id };
      await bus.publish({
        thread,
        channel,
        chat: `${channel}/${chat}`,
        user: senderKey(message),
        // What is said about a task is for whoever is at it now.
        busy: 'steer',
        quiet: { whenIdleMs: 0, whenBusyMs: 0, mostMs: 0 },
        dedupeKey: key,
        payload,
        at: clock.now(),
      });
    },
  });
}

const sceneOf = (desk: TaskDesk, { message, chat, who, language }: CommandScene): TaskScene => ({
  desk,
  message,
  chat: chat.id,
  by: { key: who.user.key, role: who.role },
  language,
});

/** `/task` and `/tasks`. */
export const taskHandlers = (desk: TaskDesk): { readonly task: Handler; readonly tasks: Handler } => ({
  task: (scene, args) => {
    const assistant = scene.route.assistantId;
    if (assistant === null) return say(scene.language, 'assistant_denied');
    return taskCommand(sceneOf(desk, scene), args, assistant.value);
  },
  tasks: (scene, args) => tasksCommand(sceneOf(desk, scene), args),
});

/** Emoji are written with and without the mark that asks for colour. */
const bare = (reaction: string): string => reaction.replaceAll('\u{fe0f}', '');

/** Reactions that make tasks, buttons of cards, and replies to what was said about a task. */
export const taskConcern =
  (desk: TaskDesk, { config, store, clock }: Pick<Rooms, 'config' | 'store' | 'clock'>): Concern =>
  async (message, chat) => {
    if (message.kind === 'reaction') {
      if (!config.tasks.reactions.some((one) => bare(one) === bare(message.text)) || message.quote?.fromBot === true)
        return null;
      return async (scene) => {
        const { channel, quote } = message;
        const told = quote === undefined || quote.text === '' ? null : { name: quote.author ?? '', text: quote.text };
        const at = { channel, chat, place: scene.place };
        const original = told ?? (await earlierWords(store, at, quote?.messageId ?? ''));
        const assistant = scene.route.assistantId;
        return assistant === null ? null : reactTask(sceneOf(desk, scene), original, assistant.value);
      };
    }
    if (message.kind === 'action' && pressedTask(message.text) !== null)
      return (scene) => pressTask(sceneOf(desk, scene));
    const { quote } = message;
    const isReply = quote?.messageId !== undefined && quote.fromBot;
    const replied = isReply ? await desk.about(message.channel, chat, quote.messageId) : null;
    // Who replies to something else means that; some platforms do not tell to what.
    const task = replied ?? (quote?.messageId === undefined ? await meantTask(desk, message, chat, clock.now()) : null);
    return task === null || !listens(task, message) ? null : (scene) => tellTask(sceneOf(desk, scene), task);
  };

/** Looks after the tasks of this installation. */
export function startTaskKeeper(rooms: Rooms, desk: TaskDesk): { stop(): Promise<void> } {
  const { config, store, bus, clock, log } = rooms;
  const { reminder_hours: remind, expire_hours: expire, digest_at: at } = config.tasks;
  const timeZone = config.assistants[config.assistant_id]?.time_zone ?? 'UTC';
  const channels = channelBook(config);
  return startKeeper({
    store,
    bus,
    desk,
    channels,
    remindMs: remind * HOUR_MS,
    expireMs: expire * HOUR_MS,
    ...(at === undefined ? {} : { digest: { at, timeZone } }),
    clock,
    log,
  });
}

/** Tells tasks which messages are about them. */
export function taskMessages({ store, log }: Pick<Rooms, 'store' | 'log'>) {
  return async (delivery: NewDelivery, id: string): Promise<void> => {
    const task = taskOfDelivery(delivery.id);
    if (task === null) return;
    await store.tasks.said(task, { id, isCard: isCard(delivery) }).catch((error: unknown) => {
      log.warn(
        { task, problem: asAntlerError(error).message },
        'a reply to this message will not be known as one to its task',
      );
    });
  };
}
