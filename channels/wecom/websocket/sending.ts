import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import type { Said } from '../bot/said.ts';
import { REMEMBERED_MAX } from '../limits.ts';
import type { Card } from '../outbound/card.ts';
import type { Connection } from './connection.ts';
import { ReplyBook } from './replies.ts';
import { Streams } from './streams.ts';

/** What everything that sends needs. */
export interface Sending {
  readonly connection: Pick<Connection, 'link'>;
  readonly state: ChannelState;
  readonly replies: ReplyBook;
  readonly streams: Streams;
  readonly said: Said;
  /** Cards whose buttons may still be pressed, by their task, as far as this process has sent them. */
  readonly cards: BoundedMap<string, Card>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function sendingOf(parts: Pick<Sending, 'connection' | 'state' | 'said' | 'clock' | 'log'>): Sending {
  const replies = new ReplyBook(parts.state);
  return { ...parts, replies, streams: new Streams(parts.clock, replies), cards: new BoundedMap(REMEMBERED_MAX) };
}
