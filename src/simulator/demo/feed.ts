import { Signal } from '../kit/signal.ts';
import type { PlayChange, Playground, PlayMessage } from '../play/port.ts';
import { type Seat, seatsOf } from './stage.ts';
import { loginOf, messagesOf, type PageEvent } from './view.ts';

/** Tells what has changed on all platforms, message by message. */
export class Feed {
  readonly #events = new Signal<PageEvent>();
  /** What each chat showed last, by message id; as JSON, because that is what is compared. */
  readonly #known = new Map<Seat, ReadonlyMap<string, string>>();
  readonly #ends: readonly (() => void)[];

  constructor(plays: readonly Playground[]) {
    this.#ends = plays.map((play) => {
      const seats = seatsOf(play);
      for (const seat of seats) this.#known.set(seat, byId(messagesOf(play, seat)));
      return play.subscribe((change) => this.#changed(play, seats, change));
    });
  }

  subscribe(listener: (event: PageEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  #changed(play: Playground, seats: readonly Seat[], change: PlayChange): void {
    const platform = play.type;
    if (change.type === 'login') {
      this.#events.emit({ type: 'login', platform, login: loginOf(play) });
      return;
    }
    const seat = seats.find(({ chat }) => chat.id === change.chat.id);
    if (seat === undefined) return;
    if (change.type === 'typing')
      this.#events.emit({ type: 'typing', platform, seat: seat.key, forMs: Math.round(change.forMs) });
    else this.#compare(play, seat);
  }

  #compare(play: Playground, seat: Seat): void {
    const before = this.#known.get(seat) ?? new Map<string, string>();
    const shown = messagesOf(play, seat);
    const now = byId(shown);
    this.#known.set(seat, now);
    const messages = shown.filter(({ id }) => before.get(id) !== now.get(id));
    const gone = [...before.keys()].filter((id) => !now.has(id));
    if (messages.length > 0 || gone.length > 0)
      this.#events.emit({ type: 'chat', platform: play.type, seat: seat.key, messages, gone });
  }
}

const byId = (messages: readonly PlayMessage[]): ReadonlyMap<string, string> =>
  new Map(messages.map((message) => [message.id, JSON.stringify(message)]));
