import { languageOf, say } from '../../src/base/sentences.ts';
import type { Target } from '../../src/channel/port.ts';
import type { SlackApi } from './api.ts';
import type { Askers } from './askers.ts';
import { reasonOf } from './errors.ts';

/** With these Slack says that this app cannot do it anywhere. */
const NEVER = new Set(['unknown_method', 'missing_scope', 'not_allowed_token_type', 'access_denied']);

/**
 * The line that shows in a thread that the bot is at work; Slack has no typing indicator for bots, and takes the line
 * away when the bot says something. https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
export class Status {
  readonly #api: SlackApi;
  readonly #askers: Askers;
  #available = true;

  constructor(api: SlackApi, askers: Askers) {
    this.#api = api;
    this.#askers = askers;
  }

  async show(target: Target): Promise<void> {
    const { chat, topic } = target;
    if (!this.#available || topic === undefined) return;
    const status = say(languageOf(this.#askers.of(target)?.language), 'working_status');
    try {
      await this.#api.call(
        'assistant.threads.setStatus',
        { channel_id: chat, thread_ts: topic, status },
        { idempotent: true },
      );
    } catch (error) {
      if (!NEVER.has(reasonOf(error) ?? '')) throw error;
      this.#available = false;
    }
  }
}
