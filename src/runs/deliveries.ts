import {
  type DeliveryId,
  fileDeliveryId,
  type TaskId,
  type ThreadId,
  taskDeliveryId,
  turnDeliveryId,
} from '../base/ids.ts';
import type { Language } from '../base/sentences.ts';
import type { NewDelivery, NewDraft } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { Button, Document, FileRef, Target } from '../channel/port.ts';
import { withoutReply } from '../channel/target.ts';

/** Where and as what a turn's answer goes out. */
export interface AnswerAddress {
  readonly thread: ThreadId;
  /** The first input's number: with the thread it names the answer, on every re-run of the turn alike. */
  readonly firstSeq: number;
  readonly entry: ChannelEntry;
  readonly target: Target;
  /** The task that it comes of. Absent: none. */
  readonly task?: TaskId;
}

const partId = ({ task, thread, firstSeq }: AnswerAddress, part: number): DeliveryId =>
  task === undefined ? turnDeliveryId(thread, firstSeq, part) : taskDeliveryId(task, `${firstSeq}/${part}`);

const fileId = ({ task, thread, firstSeq }: AnswerAddress, index: number): DeliveryId =>
  task === undefined ? fileDeliveryId(thread, firstSeq, index) : taskDeliveryId(task, `${firstSeq}/f${index}`);

/** The same answer, to more messages than it was begun for. */
export function alsoAnswering(address: AnswerAddress, messages: readonly string[]): AnswerAddress {
  if (messages.length === 0) return address;
  const { target } = address;
  return { ...address, target: { ...target, answers: [...(target.answers ?? []), ...messages] } };
}

const streamId = (address: AnswerAddress): string => `${address.thread}:${address.firstSeq}`;

/** The final answer as deliveries, one a message, finishing in place whatever of it was streamed; `buttons` where the platform has them. */
export function finalDeliveries(
  address: AnswerAddress,
  text: string,
  at: number,
  buttons: readonly Button[] = [],
): readonly NewDelivery[] {
  if (text.trim() === '') return [];
  const { entry, target } = address;
  const channel = entry.settings.name;
  const limits = entry.manifest.limits(channel, target, 'send');
  const shown = entry.manifest.capabilities.buttons && buttons.length > 0 ? { buttons } : {};
  const parts = entry.manifest.split({ markdown: text, ...shown });
  return parts.map((document, part) => ({
    id: partId(address, part),
    channel,
    target: part === 0 ? target : withoutReply(target),
    document,
    stream: { id: streamId(address), part, last: part === parts.length - 1 },
    limits,
    at,
    resendForMs: entry.settings.resendForMs,
  }));
}

/**
 * The files that an answer comes with, each a message of its own behind the text. `language`: in which to say that one
 * cannot be shown. Where there is no text, the first is the reply.
 */
export function fileDeliveries(
  address: AnswerAddress,
  files: readonly FileRef[],
  { language, isReply, at }: { readonly language: Language; readonly isReply: boolean; readonly at: number },
): readonly NewDelivery[] {
  const { entry, target } = address;
  const channel = entry.settings.name;
  const limits = entry.manifest.limits(channel, target, 'send');
  return files.map((file, index) => ({
    id: fileId(address, index),
    channel,
    target: isReply && index === 0 ? target : withoutReply(target),
    document: { markdown: '', file },
    limits,
    at,
    resendForMs: entry.settings.resendForMs,
    language,
  }));
}

/** A stand of the unfinished answer; an empty text shows that the bot is typing, which no limit counts. */
export function draftOf(address: AnswerAddress, text: string): NewDraft {
  const { entry, target } = address;
  const channel = entry.settings.name;
  const parts: readonly Document[] = text.trim() === '' ? [] : entry.manifest.split({ markdown: text });
  return {
    stream: streamId(address),
    channel,
    target,
    parts,
    limits: parts.length === 0 ? [] : entry.manifest.limits(channel, target, 'edit'),
  };
}
