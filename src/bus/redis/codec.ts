import type { Target } from '../../channel/port.ts';
import type { NewDelivery, NewDraft, TurnInput } from '../port.ts';

/** A chat's place in the outbox, part of keys. */
export function placeOf(channel: string, chat: string): string {
  return `${encodeURIComponent(channel)}/${encodeURIComponent(chat)}`;
}

export const place = (of: { readonly channel: string; readonly target: Target }): string =>
  placeOf(of.channel, of.target.chat);

/** What a script has to know of a delivery; the delivery itself goes through Redis as text, untouched. */
export function deliveryHeader(delivery: NewDelivery): string {
  return JSON.stringify({ id: delivery.id, limits: delivery.limits, stream: delivery.stream?.id });
}

/** The six arguments for a delivery that `enqueue_all` in `lua/parts/outbox.lua` reads. */
export function deliveryArguments(delivery: NewDelivery): string[] {
  const closes = delivery.stream?.last === true ? delivery.stream.id : '';
  return [delivery.channel, place(delivery), delivery.id, closes, deliveryHeader(delivery), JSON.stringify(delivery)];
}

/** A draft in the outbox; `thread` and `token` say whose it is, so that nothing of a run that is over is shown. */
export function draftItem(draft: NewDraft, thread: string, token: string): string {
  const header = JSON.stringify({ limits: draft.limits, stream: draft.stream, thread, token });
  return `0\n${header}\n${JSON.stringify(draft)}`;
}

export interface OutboxItem {
  readonly enqueuedAt: number;
  readonly body: unknown;
}

/** Reads `<enqueued at>\n<header>\n<body>`. JSON holds no raw line breaks. */
export function parseOutboxItem(item: string): OutboxItem {
  const [at = '0', , body = 'null'] = item.split('\n');
  return { enqueuedAt: Number(at), body: JSON.parse(body) };
}

/** An input without its number, which the script gives it. */
export function inputItem(input: { readonly at: number; readonly payload: unknown }): string {
  return JSON.stringify({ at: input.at, payload: input.payload });
}

/** Reads `<seq>\n<json>`. */
export function parseInput(item: string): TurnInput {
  const cut = item.indexOf('\n');
  const { at, payload } = JSON.parse(item.slice(cut + 1)) as { at: number; payload: unknown };
  return { seq: Number(item.slice(0, cut)), payload, at };
}
