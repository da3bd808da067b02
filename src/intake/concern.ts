import type { InboundMessage } from '../channel/message.ts';
import type { CommandScene } from './commands/scene.ts';

/**
 * Finds what a message belongs to that is no part of its chat's conversation: a task, by a button of its card, a reply
 * to what was said about it, or a reaction that makes one. Resolves with what is done then, for whoever is let in; it returns what to say, or null.
 * `chat`: the id that the chat has now. Null: the message belongs to the conversation, as nearly all do.
 */
export type Concern = (
  message: InboundMessage,
  chat: string,
) => Promise<((scene: CommandScene) => Promise<string | null>) | null>;
