import type { Target } from '../../channel/port.ts';
import type { NewDelivery, NewDraft, NewInput, TurnInput } from '../port.ts';
import { shareOf } from './shares.ts';

/** Text as it stands in headers and members: without tabs, line breaks and other control characters. */
export const fieldText = (text: string): string => JSON.stringify(text).slice(1, -1);
export const fieldValue = (field: string): string => JSON.parse(`"${field}"`);

/** A chat's place in the outbox, part of keys. */
export function placeOf(channel: string, chat: string): string {
  return `${encodeURIComponent(channel)}/${encodeURIComponent(chat)}`;
}

export const place = (of: { readonly channel: string; readonly target: Target }): string =>
  placeOf(of.channel, of.target.chat);

/** What a script has to know of a delivery; the delivery itself goes through Redis as text, untouched. */
export function deliveryHeader(delivery: NewDelivery, shards: number): string {
  const { id, stream, at, resendForMs } = delivery;
  const limits = delivery.limits.map((limit) => shareOf(limit, delivery.target.chat, shards));
  const again = resendForMs > 0 ? Math.floor(at + resendForMs) : undefined;
  return JSON.stringify({ id, limits, stream: stream?.id, part: stream?.part, again });
}

/** The six arguments for a delivery that `enqueue_all` in `lua/parts/outbox.lua` reads. */
export function deliveryArguments(delivery: NewDelivery, shards: number): string[] {
  const closes = delivery.stream?.last === true ? delivery.stream.id : '';
  return [
    fieldText(delivery.channel),
    place(delivery),
    delivery.id,
    closes,
    deliveryHeader(delivery, shards),
    JSON.stringify(delivery),
  ];
}

/** A draft in the outbox; `thread` and `token` say whose it is, so that nothing of a run that is over is shown. */
export function draftItem(draft: NewDraft, thread: string, token: string, shards: number): string {
  const limits = draft.limits.map((limit) => shareOf(limit, draft.target.chat, shards));
  const header = JSON.stringify({ limits, stream: draft.stream, thread, token });
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

/** Who an input is from, as scripts read it. */
function who(input: { readonly channel: string; readonly chat: string; readonly user: string }): string {
  return `${fieldText(input.channel)}\t${fieldText(input.chat)}\t${fieldText(input.user)}`;
}

/** An input without its number, which the script puts before it; see `lua/parts/inbox.lua`. */
export function inputItem(
  input: Pick<NewInput, 'channel' | 'chat' | 'user' | 'dedupeKey' | 'at' | 'payload' | 'busy'>,
): string {
  return `${input.busy.charAt(0)}\t${input.at}\t${who(input)}\t${fieldText(input.dedupeKey)}\n${payloadText(input.payload)}`;
}

export const payloadText = (payload: unknown): string => JSON.stringify(payload) ?? 'null';

export interface StoredInput extends TurnInput {
  readonly chat: string;
}

export function parseInput(item: string): StoredInput {
  const cut = item.indexOf('\n');
  const [seq, , at, , chat = ''] = item.slice(0, cut).split('\t');
  return { seq: Number(seq), at: Number(at), chat: fieldValue(chat), payload: JSON.parse(item.slice(cut + 1)) };
}
