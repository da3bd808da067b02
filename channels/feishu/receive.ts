import type { DoubleClicks } from '../../src/channel/double-clicks.ts';
import type { Lanes } from '../../src/channel/lanes.ts';
import type { AdapterContext } from '../../src/channel/port.ts';
import type { BotIdentity, OpenApi } from './api.ts';
import type { FeishuConfig } from './config.ts';
import { LOOKUP_BUDGET_MS } from './limits.ts';
import { complete } from './lookup/complete.ts';
import type { Names } from './lookup/directory.ts';
import type { Places } from './lookup/places.ts';
import { normalize } from './normalize/index.ts';
import { isRecord } from './normalize/json.ts';

export interface Receiving {
  readonly context: AdapterContext<FeishuConfig>;
  readonly api: OpenApi;
  readonly names: () => Names;
  readonly places: Places;
  readonly lanes: Lanes;
  readonly clicks: DoubleClicks;
  readonly identify: () => Promise<BotIdentity>;
}

/**
 * Hands an event to intake; resolves with the answer to it once it is durable, or when there is nothing in it for
 * anybody. Messages of one chat keep their order, though what they need is looked up at the same time.
 */
export async function receiveEvent(
  event: unknown,
  { context, api, names, places, lanes, clicks, identify }: Receiving,
): Promise<object> {
  const { channel, clock, log, accept } = context;
  const bot = await identify();
  const reading = normalize(event, { channel, bot, now: clock.now() });
  if (reading === null) {
    log.debug({ channel, event: typeOf(event) }, 'nothing to take in from this event');
    return {};
  }
  const completed = complete(reading, { api, names: names(), places, bot }, AbortSignal.timeout(LOOKUP_BUDGET_MS));
  completed.catch(() => {}); // its turn in the lane hears of it
  await lanes.run(reading.message.chat.id, async () => {
    const message = await completed;
    if (message === null) {
      log.debug({ channel, event: typeOf(event) }, 'there is no telling to which chat this event belongs');
      return;
    }
    if (clicks.isSecond(message) || places.isRecalled(message)) return;
    try {
      await accept(message);
    } catch (error) {
      clicks.forget(message);
      throw error;
    }
    await places.heard(message);
  });
  return {};
}

function typeOf(event: unknown): unknown {
  return isRecord(event) && isRecord(event.header) ? event.header.event_type : undefined;
}
