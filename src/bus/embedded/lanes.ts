import type { RateLimit } from '../../channel/port.ts';
import type { NewDraft } from '../port.ts';
import type { Head } from './deliveries.ts';

/** A draft that waits to be shown. */
export interface WaitingDraft {
  readonly draft: NewDraft;
  /** False as soon as its run is over. */
  readonly alive: () => boolean;
}

/** One chat's way out: deliveries in their order, then the newest stand of every stream. */
export interface Lane {
  readonly key: string;
  readonly channel: string;
  readonly chat: string;
  /** The first delivery; null when there is none, or none was looked for yet. */
  head: Head | null;
  /** By stream, the longest waiting first. */
  readonly drafts: Map<string, WaitingDraft>;
  /** No draft is shown before this time: the platform asked for it. */
  draftsDue: number;
  /** Something of this chat is under way. */
  busy: boolean;
}

/** What a chat would send next. */
export type Next =
  | { readonly kind: 'delivery'; readonly head: Head; readonly limits: readonly RateLimit[]; readonly due: number }
  | {
      readonly kind: 'draft';
      readonly waiting: WaitingDraft;
      readonly limits: readonly RateLimit[];
      readonly due: number;
    };

export function nextOf(lane: Lane): Next | null {
  const { head } = lane;
  if (head !== null) return { kind: 'delivery', head, limits: head.delivery.limits, due: head.due };
  for (const [stream, waiting] of lane.drafts) {
    if (waiting.alive()) return { kind: 'draft', waiting, limits: waiting.draft.limits, due: lane.draftsDue };
    lane.drafts.delete(stream);
  }
  return null;
}

/** The chats that have something to send. */
export interface Lanes {
  get(channel: string, chat: string): Lane;
  of(channel: string): Lane[];
  /** Forgets a chat that has nothing more. */
  drop(lane: Lane): void;
}

export function createLanes(): Lanes {
  const channels = new Map<string, Map<string, Lane>>();
  return {
    get: (channel, chat) => {
      const lanes = channels.get(channel) ?? new Map<string, Lane>();
      channels.set(channel, lanes);
      const known = lanes.get(chat);
      if (known !== undefined) return known;
      const key = `${encodeURIComponent(channel)}/${encodeURIComponent(chat)}`;
      const lane: Lane = { key, channel, chat, head: null, drafts: new Map(), draftsDue: 0, busy: false };
      lanes.set(chat, lane);
      return lane;
    },
    of: (channel) => [...(channels.get(channel)?.values() ?? [])],
    drop: (lane) => {
      const lanes = channels.get(lane.channel);
      lanes?.delete(lane.chat);
      if (lanes?.size === 0) channels.delete(lane.channel);
    },
  };
}
