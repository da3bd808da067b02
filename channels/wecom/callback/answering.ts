import type { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { ChannelState } from '../../../src/channel/port.ts';
import type { Said } from '../bot/said.ts';
import type { Card } from '../outbound/card.ts';
import type { Bell } from './bell.ts';
import type { Places } from './places.ts';

/** What everything that answers needs. */
export interface Answering {
  readonly places: Places;
  readonly bell: Bell;
  readonly state: ChannelState;
  readonly said: Said;
  /** Cards whose buttons may still be pressed, by their task, as far as this process has made them. */
  readonly cards: BoundedMap<string, Card>;
  /** When WeCom has not asked for an answer for so long, it does not ask any more. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}
