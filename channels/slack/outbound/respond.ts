import type { Target } from '../../../src/channel/port.ts';
import type { SlackApi } from '../api.ts';
import { reasonOf } from '../errors.ts';
import { Recent } from '../recent.ts';

const REMEMBERED = 1_000;

/** Where the bot is no member, it may not post, but it may answer the command that somebody gave it there. */
const OUTSIDE = new Set(['channel_not_found', 'not_in_channel']);

/**
 * The addresses at which slash commands can be answered, to the person who gave them, for half an hour.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export class Responses {
  readonly #api: SlackApi;
  readonly #urls = new Recent<string>(REMEMBERED);

  constructor(api: SlackApi) {
    this.#api = api;
  }

  note(chat: string, messageId: string, url: unknown): void {
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return;
    this.#urls.set(messageId, url);
    this.#urls.set(chat, url);
  }

  /** The message's id when it could be said this way; undefined when posting failed for another reason, or for good. */
  async answer(error: unknown, { chat, topic, replyTo }: Target, mrkdwn: string): Promise<string | undefined> {
    const reason = reasonOf(error);
    const url = topic === undefined ? this.#urls.get(replyTo ?? chat) : undefined;
    if (reason === undefined || !OUTSIDE.has(reason) || url === undefined) return undefined;
    const isTaken = await this.#api.respond(url, { response_type: 'ephemeral', text: mrkdwn }).catch(() => false);
    return isTaken ? `response/${replyTo ?? chat}` : undefined;
  }
}
