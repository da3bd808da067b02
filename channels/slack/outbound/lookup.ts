import { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import type { Target } from '../../../src/channel/port.ts';
import type { SlackApi } from '../api.ts';
import { LOOK_TIMEOUT_MS, REPEATS_KNOWN_MS } from '../limits.ts';

const EVENT_TYPE = 'antler_delivery';
/** How far back a message is looked for: a little further than messages are sent again. */
const WINDOW_MS = REPEATS_KNOWN_MS + 300_000;
const PAGE = 200;

const pageShape = z.looseObject({
  has_more: z.boolean().catch(false),
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .looseObject({ event_type: z.string(), event_payload: z.looseObject({ delivery: z.string() }) })
        .optional()
        .catch(undefined),
    }),
  ),
});

/**
 * Finds out whether a message whose sending was never answered has arrived after all. Slack takes no key by which a
 * second sending would be known, but it keeps data along with a message, and there we put the key ourselves.
 * https://docs.slack.dev/messaging/message-metadata
 */
export class Lookup {
  readonly #api: SlackApi;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(api: SlackApi, clock: Pick<Clock, 'now'>) {
    this.#api = api;
    this.#clock = clock;
  }

  markOf(key: string): object {
    return { event_type: EVENT_TYPE, event_payload: { delivery: key } };
  }

  /**
   * The message's id; undefined when it is not there.
   * @throws AntlerError when that cannot be found out
   */
  async look({ chat, topic }: Target, key: string): Promise<string | undefined> {
    const oldest = ((this.#clock.now() - WINDOW_MS) / 1_000).toFixed(6);
    const answer = await this.#api.call(
      topic === undefined ? 'conversations.history' : 'conversations.replies',
      { channel: chat, ...(topic === undefined ? {} : { ts: topic }), oldest, limit: PAGE, include_all_metadata: true },
      { idempotent: true, timeoutMs: LOOK_TIMEOUT_MS },
    );
    const page = pageShape.safeParse(answer);
    const found = page.data?.messages.find(
      ({ metadata }) => metadata?.event_type === EVENT_TYPE && metadata.event_payload.delivery === key,
    );
    if (found === undefined && page.data?.has_more !== false) {
      throw new AntlerError('uncertain', 'Too much was said since to find out whether the message arrived.');
    }
    return found?.ts;
  }
}
