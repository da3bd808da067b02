import { BoundedMap } from '../../../src/base/bounded-map.ts';
import type { Target } from '../../../src/channel/port.ts';
import type { SlackApi } from '../api.ts';
import { reasonOf } from '../errors.ts';

const REMEMBERED = 1_000;

/** Where the bot is no member, it may not post, but it may answer the command that somebody gave it there, or the press of an old button. */
const OUTSIDE = new Set(['channel_not_found', 'not_in_channel']);

/**
 * The addresses at which slash commands and presses can be answered, to the person whose they are, for half an hour.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export class Responses {
  readonly #api: SlackApi;
  readonly #urls = new BoundedMap<string, string>(REMEMBERED);

  constructor(api: SlackApi) {
    this.#api = api;
  }

  /** Keeps the address that came along with a press of a button. */
  notePress(messageId: string, url: unknown): void {
    if (isAddress(url)) this.#urls.set(messageId, url);
  }

  /** Keeps the address that came along with a command, whose answers may refer to nothing but the chat. */
  noteCommand(chat: string, messageId: string, url: unknown): void {
    if (!isAddress(url)) return;
    this.#urls.set(messageId, url);
    this.#urls.set(chat, url);
  }

  /** Says something that only the one who pressed or gave the command sees; false when it could not be said. */
  async tell(url: unknown, mrkdwn: string): Promise<boolean> {
    if (!isAddress(url)) return false;
    const body = { response_type: 'ephemeral', replace_original: false, text: mrkdwn };
    return this.#api.respond(url, body).catch(() => false);
  }

  /** The message's id when it could be said this way; undefined when posting failed for another reason, or for good. */
  async answer(error: unknown, { chat, topic, replyTo }: Target, mrkdwn: string): Promise<string | undefined> {
    const reason = reasonOf(error);
    if (reason === undefined || !OUTSIDE.has(reason)) return undefined;
    const url = replyTo === undefined ? undefined : this.#urls.get(replyTo);
    const said = await this.tell(
      url ?? (topic === undefined && replyTo === undefined ? this.#urls.get(chat) : undefined),
      mrkdwn,
    );
    return said ? `response/${replyTo ?? chat}` : undefined;
  }
}

const isAddress = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//.test(url);
