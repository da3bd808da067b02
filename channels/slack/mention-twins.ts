import { BoundedMap } from '../../src/base/bounded-map.ts';
import { property } from '../../src/base/property.ts';
import type { SlackApi } from './api.ts';
import { LOOKUP_TIMEOUT_MS } from './limits.ts';
import type { Handout } from './normalize/handout.ts';
import { repliesShape } from './normalize/wire.ts';

const REMEMBERED = 2_000;

/**
 * A message that mentions the bot comes as two events, in either order, and the first one counts. The `app_mention` may
 * lack the files that the `message` has, so where it comes first the message is asked for.
 * https://docs.slack.dev/reference/events/app_mention
 */
export class MentionTwins {
  readonly #api: SlackApi;
  readonly #seen = new BoundedMap<string, true>(REMEMBERED);

  constructor(api: SlackApi) {
    this.#api = api;
  }

  /** The handout with all that its message has; as it is when that is known already or cannot be had. */
  async whole(handout: Handout): Promise<Handout> {
    const event = property(handout.body, 'event');
    const [type, channel, ts] = [property(event, 'type'), property(event, 'channel'), property(event, 'ts')];
    if (handout.kind !== 'event' || typeof channel !== 'string' || typeof ts !== 'string') return handout;
    const name = `${channel}:${ts}`;
    const isFirst = this.#seen.get(name) === undefined;
    if (type === 'message' || type === 'app_mention') this.#seen.set(name, true);
    if (type !== 'app_mention' || !isFirst || property(event, 'files') !== undefined) return handout;
    const found = await this.#message(channel, ts, property(event, 'thread_ts'));
    return found === undefined
      ? handout
      : { ...handout, body: { ...Object(handout.body), event: { ...Object(event), ...found, type, channel } } };
  }

  async #message(channel: string, ts: string, thread: unknown): Promise<object | undefined> {
    const root = typeof thread === 'string' ? thread : ts;
    const args = { channel, ts: root, oldest: ts, latest: ts, inclusive: true, limit: 2 };
    const options = { idempotent: true, timeoutMs: LOOKUP_TIMEOUT_MS };
    const answer = await this.#api.call('conversations.replies', args, options).catch(() => undefined);
    return repliesShape.safeParse(answer).data?.messages.find((message) => message.ts === ts);
  }
}
