import type { User } from './chat.ts';
import type { UpdateQueue } from './update-queue.ts';
import type { Webhook } from './webhook.ts';

export interface BotCommand {
  readonly command: string;
  readonly description: string;
}

/** A bot's account and what it has set up. */
export interface Bot {
  readonly user: User;
  /** `id:secret`; null once it was revoked. */
  token: string | null;
  /** In groups it only hears what concerns it. Source: https://core.telegram.org/bots/features#privacy-mode */
  privacy: boolean;
  readonly updates: UpdateQueue;
  readonly webhook: Webhook;
  /** By scope and language, as `setMyCommands` got them. */
  readonly commands: Map<string, readonly BotCommand[]>;
}
