import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { backoffMs } from '../backoff.ts';
import type { NewDelivery, NewDraft, Outgoing, SendingOptions, SendOutcome, Working } from '../port.ts';
import type { Reservation, Windows } from '../window.ts';
import type { Agenda } from './agenda.ts';
import type { DeliveryTable, Doubted, Head } from './deliveries.ts';
import { closedError } from './journal.ts';
import { createLanes, type Lane, type Next, nextOf, type WaitingDraft } from './lanes.ts';
import type { PausedChannels } from './paused.ts';
import type { Persistence } from './persist.ts';

type SendHandler = (outgoing: Outgoing) => Promise<SendOutcome>;

export interface SenderParts {
  readonly deliveries: DeliveryTable;
  readonly windows: Windows;
  readonly paused: PausedChannels;
  readonly persistence: Persistence;
  readonly agenda: Agenda;
  readonly clock: Clock;
  readonly log: Logger;
  /** What was set aside at the start, because the last process ended while it was being sent. */
  readonly doubted: readonly NewDelivery[];
}

/** Hands out what is to be sent: when it is due, when the limits allow it, one thing per chat at a time. */
export interface Sender {
  start(channels: readonly string[], handler: SendHandler, options: SendingOptions): Working;
  /** Something was stored for this chat. */
  wake(channel: string, chat: string): void;
  /** The channel is not paused any more. */
  resume(channel: string): void;
  draft(draft: NewDraft, alive: () => boolean): void;
  /** Is something under way, or is there a delivery that may go out before `until`? */
  owes(until: number): boolean;
  /** Hands out nothing any more. */
  stop(): void;
  /** Resolves when nothing is under way. */
  drained(): Promise<void>;
  /** Waits for nothing that is under way: its outcome is uncertain. */
  cut(): void;
}

interface Crew {
  readonly channels: ReadonlySet<string>;
  readonly handler: SendHandler;
  readonly options: SendingOptions;
  /** What would go out if the crew had a free hand. */
  readonly queue: Set<Lane>;
  busy: number;
}

interface Heard {
  readonly outcome: SendOutcome;
  readonly unheard: boolean;
}

export function createSender(parts: SenderParts): Sender {
  const { deliveries, windows, paused, agenda, clock, log } = parts;
  const { persist } = parts.persistence;
  const lanes = createLanes();
  const crews = new Set<Crew>();
  const tasks = new Set<Promise<void>>();
  /** Ends the waiting for a handler; one entry for each. */
  const cuts = new Set<() => void>();
  let stopped = false;
  let untold = parts.doubted;

  /** Tells a crew of what was set aside of its channels before it came. */
  const tellBefore = async (crew: Crew): Promise<void> => {
    if (crew.options.onDoubt === undefined) return;
    const own = untold.filter(({ channel }) => crew.channels.has(channel));
    untold = untold.filter((delivery) => !own.includes(delivery));
    await tell(crew, own);
  };

  const tell = async ({ options: { onDoubt } }: Crew, aside: readonly NewDelivery[]): Promise<void> => {
    for (const delivery of aside)
      await onDoubt?.(delivery).catch((error: unknown) =>
        log.warn({ delivery: delivery.id, err: error }, 'a doubt was not told'),
      );
  };

  /** Looks what the chat has to send, and sees to it that it is sent as soon as may be. */
  const look = (lane: Lane): void => {
    if (lane.busy || stopped) return;
    lane.head ??= deliveries.first(lane.channel, lane.chat);
    const next = nextOf(lane);
    const name = `chat ${lane.key}`;
    if (next === null) {
      agenda.delete(name);
      lanes.drop(lane);
      return;
    }
    if (paused.has(lane.channel)) {
      agenda.delete(name);
      return;
    }
    const now = clock.now();
    const at = windows.freeAt(next.limits, Math.max(now, next.due));
    if (at > now) {
      agenda.set(name, at, () => look(lane));
      return;
    }
    agenda.delete(name);
    const asking = [...crews].filter((crew) => crew.channels.has(lane.channel));
    const free = asking.find((crew) => crew.busy < crew.options.concurrency);
    if (free === undefined) for (const crew of asking) crew.queue.add(lane);
    else send(lane, next, free);
  };

  /** When the chat's next delivery may go out; never, when it has none or its channel is paused. */
  const dueAt = ({ head, channel }: Lane): number =>
    head === null || paused.has(channel)
      ? Number.POSITIVE_INFINITY
      : windows.freeAt(head.delivery.limits, Math.max(clock.now(), head.due));

  const send = (lane: Lane, next: Next, crew: Crew): void => {
    lane.busy = true;
    crew.busy++;
    const reservation = windows.reserve(next.limits, clock.now());
    const sending =
      next.kind === 'delivery'
        ? sendDelivery(lane, next.head, crew, reservation)
        : sendDraft(lane, next.waiting, crew, reservation);
    const task = sending
      .then(
        () => {
          lane.busy = false;
          lane.head = null;
        },
        (error: unknown) => {
          // Its outcome could not be stored. The chat stays busy, so that nothing is said twice; the next start
          // finds the delivery under way and calls it uncertain.
          log.error({ channel: lane.channel, chat: lane.chat, err: error }, 'a send was left to the next start');
        },
      )
      .finally(() => {
        tasks.delete(task);
        crew.busy--;
        // Those that wait for a hand come first, so that a chat with much to say does not keep it.
        pull(crew);
        look(lane);
      });
    tasks.add(task);
  };

  /** Gives a free hand to the chat that waits longest for one. */
  const pull = (crew: Crew): void => {
    for (const lane of crew.queue) {
      if (crew.busy >= crew.options.concurrency) return;
      crew.queue.delete(lane);
      look(lane);
    }
  };

  const sendDelivery = async (lane: Lane, head: Head, crew: Crew, reserved: Reservation): Promise<void> => {
    const goes = await persist(() => {
      if (paused.has(lane.channel)) return false;
      deliveries.take(head, clock.now());
      return true;
    });
    if (!goes) {
      windows.giveBack(reserved);
      return;
    }
    // The write took its time; the window is to count from when the call is made.
    windows.giveBack(reserved);
    const reservation = windows.reserve(reserved.limits, clock.now());
    const { delivery, attempt, enqueuedAt } = head;
    const shown = delivery.stream === undefined ? [] : deliveries.stream(delivery.stream.id).shown;
    const outgoing: Outgoing = { kind: 'delivery', delivery, attempt, shown, enqueuedAt };
    const { outcome, unheard } = await outcomeOf(lane, outgoing, crew);
    applyLimits(outcome, reservation);
    const fate = await persist(() => settle(head, outcome));
    // Who was handed it knows of no doubt, and has said nothing of one.
    if (unheard && fate === 'aside') await tell(crew, [delivery]);
  };

  /** A step: what becomes of the delivery. */
  const settle = (head: Head, outcome: SendOutcome): Doubted | null => {
    const { stream } = head.delivery;
    const now = clock.now();
    switch (outcome.kind) {
      case 'sent':
        keepShown(stream?.id, outcome.shown, now);
        deliveries.sent(head);
        return null;
      case 'retry':
        keepShown(stream?.id, outcome.shown, now);
        deliveries.retry(head, dueOf(outcome, now));
        if (outcome.pause !== undefined) deliveries.pause(outcome.pause, dueOf(outcome, now));
        return null;
      case 'uncertain':
        return deliveries.doubt(head, outcome.error, now + backoffMs(head.attempt), now);
      case 'dead':
        deliveries.bury(head, outcome.error, now);
        return null;
      default:
        throw outcome satisfies never;
    }
  };

  const sendDraft = async (lane: Lane, waiting: WaitingDraft, crew: Crew, reserved: Reservation): Promise<void> => {
    const { draft } = waiting;
    lane.drafts.delete(draft.stream);
    const { shown, ended } = deliveries.stream(draft.stream);
    if (ended) {
      windows.giveBack(reserved);
      return;
    }
    const { outcome } = await outcomeOf(lane, { kind: 'draft', draft, shown }, crew);
    applyLimits(outcome, reserved);
    const after = 'shown' in outcome ? outcome.shown : undefined;
    // Most stands change the text of what is shown already, and need no write.
    if (after !== undefined && after.join('\n') !== shown.join('\n'))
      await persist(() => deliveries.show(draft.stream, after, clock.now()));
    if (outcome.kind === 'retry') {
      lane.draftsDue = dueOf(outcome, clock.now());
      if (waiting.alive() && !lane.drafts.has(draft.stream)) lane.drafts.set(draft.stream, waiting);
    } else if (outcome.kind !== 'sent') {
      log.warn({ channel: lane.channel, chat: lane.chat, error: outcome.error }, 'a draft was not shown');
    }
  };

  const keepShown = (stream: string | undefined, shown: readonly string[] | undefined, now: number): void => {
    if (stream !== undefined && shown !== undefined) deliveries.show(stream, shown, now);
  };

  const dueOf = (outcome: { readonly delayMs: number }, now: number): number =>
    now + Math.ceil(Math.max(0, outcome.delayMs));

  const applyLimits = (outcome: SendOutcome, reservation: Reservation): void => {
    if (outcome.kind !== 'retry') return;
    windows.giveBack(reservation);
    if (outcome.pause !== undefined) windows.pause(outcome.pause, dueOf(outcome, clock.now()));
  };

  /** What the handler says; `unheard`: it says nothing in time, and so it is uncertain. Never rejects. */
  const outcomeOf = (lane: Lane, outgoing: Outgoing, crew: Crew): Promise<Heard> =>
    new Promise((resolve) => {
      const alarm = `send ${lane.key}`;
      const end = (heard: Heard): void => {
        agenda.delete(alarm);
        cuts.delete(cut);
        resolve(heard);
      };
      const endUnheard = (error: string): void => end({ outcome: { kind: 'uncertain', error }, unheard: true });
      const cut = (): void => endUnheard('The process stopped while this was being sent.');
      cuts.add(cut);
      const { leaseMs } = crew.options;
      agenda.set(alarm, clock.now() + leaseMs, () => endUnheard(`No answer within ${leaseMs} ms.`));
      void handled(crew, outgoing).then((outcome) => end({ outcome, unheard: false }));
    });

  const handled = async (crew: Crew, outgoing: Outgoing): Promise<SendOutcome> => {
    try {
      return await crew.handler(outgoing);
    } catch (error) {
      // It may have thrown after the request went out.
      return { kind: 'uncertain', error: asAntlerError(error).message };
    }
  };

  return {
    start: (channels, handler, options) => {
      if (stopped) throw closedError();
      const crew: Crew = { channels: new Set(channels), handler, options, queue: new Set(), busy: 0 };
      crews.add(crew);
      for (const channel of crew.channels) for (const lane of lanes.of(channel)) look(lane);
      const telling = tellBefore(crew).finally(() => tasks.delete(telling));
      tasks.add(telling);
      return {
        id: options.id ?? randomUUID(),
        stop: async () => {
          crews.delete(crew);
        },
      };
    },
    wake: (channel, chat) => look(lanes.get(channel, chat)),
    resume: (channel) => {
      for (const lane of lanes.of(channel)) look(lane);
    },
    draft: (draft, alive) => {
      // Nobody here shows drafts of this channel: none is worth keeping.
      if (![...crews].some((crew) => crew.channels.has(draft.channel))) return;
      const lane = lanes.get(draft.channel, draft.target.chat);
      lane.drafts.set(draft.stream, { draft, alive });
      look(lane);
    },
    owes: (until) =>
      tasks.size > 0 ||
      [...crews].some((crew) =>
        [...crew.channels].some((channel) => lanes.of(channel).some((lane) => dueAt(lane) <= until)),
      ),
    stop: () => {
      stopped = true;
    },
    drained: async () => {
      while (tasks.size > 0) await Promise.allSettled(tasks);
    },
    cut: () => {
      for (const cut of cuts) cut();
    },
  };
}

/** The chats that these deliveries go to, each once. */
export function chatsOf(deliveries: readonly NewDelivery[]): { readonly channel: string; readonly chat: string }[] {
  const chats = new Map(
    deliveries.map(({ channel, target }) => [JSON.stringify([channel, target.chat]), { channel, chat: target.chat }]),
  );
  return [...chats.values()];
}
