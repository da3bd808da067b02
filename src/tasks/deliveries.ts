import { taskDeliveryId } from '../base/ids.ts';
import type { NewDelivery, NewDraft } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { Target } from '../channel/port.ts';
import { withoutReply } from '../channel/target.ts';
import { cardOf, type Stand } from './card.ts';
import type { Task } from './port.ts';

const CARD = 'card';

/** Where a task is spoken of: under the request, where the chat now is. */
export function taskTarget({ chat, message }: Pick<Task, 'chat' | 'message'>): Target {
  const { topic, id } = message;
  const isReply = message.chat.kind === 'group' && id !== '' && chat === message.chat.id;
  return {
    chat,
    chatKind: message.chat.kind,
    ...(topic === undefined ? {} : { topic }),
    ...(isReply ? { replyTo: id } : {}),
    ...(id === '' ? {} : { answers: [id] }),
  };
}

const streamOf = ({ id }: Task): string => taskDeliveryId(id, CARD);

/** Is it the message that shows how a task stands? */
export const isCard = (delivery: Pick<NewDelivery, 'stream'>): boolean =>
  delivery.stream?.id.endsWith(`/${CARD}`) === true;

/**
 * The card as it is from now on, in the place of what stood there; `change` tells this stand from the others. Where
 * messages cannot be edited (any more), it is a message of its own, unless people are told otherwise (`isTold`).
 */
export function cardDelivery(
  task: Task,
  entry: ChannelEntry,
  stand: Stand,
  change: string,
  { isTold = false }: { readonly isTold?: boolean } = {},
): NewDelivery {
  const { capabilities, limits } = entry.manifest;
  const channel = entry.settings.name;
  const whole = taskTarget(task);
  // An edit is no answer any more: some platforms count how often one message is answered.
  const target = change === FIRST ? whole : withoutReply({ ...whole, answers: [] });
  return {
    id: taskDeliveryId(task.id, `${CARD}/${change}`),
    channel,
    target,
    document: cardOf(task, stand, capabilities),
    // The bus remembers for a day which message it was, the task for good.
    stream: { id: streamOf(task), part: 0, last: false },
    ...(task.card === null ? {} : { edits: task.card }),
    ...(isTold ? { ifShown: true } : {}),
    limits: limits(channel, target, task.card === null ? 'send' : 'edit'),
    at: stand.now,
    resendForMs: entry.settings.resendForMs,
    language: task.language,
  };
}

/** What tells the first stand of a card. */
export const FIRST = 'first';

/** The card as it is for the moment; the next one may come in its place. Null: there is none yet, or it stays as it is. */
export function cardDraft(task: Task, entry: ChannelEntry, stand: Stand): NewDraft | null {
  const { capabilities, limits } = entry.manifest;
  if (task.card === null || !capabilities.edit) return null;
  const channel = entry.settings.name;
  const target = withoutReply({ ...taskTarget(task), answers: [] });
  return {
    stream: streamOf(task),
    channel,
    target,
    parts: [cardOf(task, stand, capabilities)],
    limits: limits(channel, target, 'edit'),
    edits: task.card,
  };
}
