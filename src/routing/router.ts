import type { Role } from '../base/roles.ts';
import { allows, type RightsByRole } from '../people/rights.ts';
import type { Question, Route, RoutingRule, Wishes } from './port.ts';
import { route } from './route.ts';

/** What the configuration says of one channel. */
export interface ChannelWishes {
  readonly channel: Wishes;
  /** By the platform's chat ids. */
  readonly chats: ReadonlyMap<string, Wishes>;
  /** By the platform's user ids. */
  readonly users: ReadonlyMap<string, Wishes>;
}

export interface RouterOptions {
  readonly rules: readonly RoutingRule[];
  readonly channels: ReadonlyMap<string, ChannelWishes>;
  readonly assistantId: string;
  readonly rights: RightsByRole;
  /** The names that there are. */
  readonly assistants: readonly string[];
  readonly models: readonly string[];
}

/** Finds who answers. Pure: the same question gets the same route. */
export interface Router {
  /** `chosen`: for the place where it is asked; what is not there any more is not chosen. */
  route(question: Question, chosen: { readonly assistant: string | null; readonly model: string | null }): Route;
  /** Those that a role may choose from. */
  assistants(role: Role): readonly string[];
  models(role: Role): readonly string[];
  /** Names of the skills that a role may use, or `all`. */
  skills(role: Role): readonly string[];
  /** Is a command among those that a role may use? */
  mayCommand(role: Role, command: string): boolean;
}

const NOTHING: Wishes = {};

export function createRouter(options: RouterOptions): Router {
  const { rules, channels, assistantId, rights } = options;
  return {
    route(question, { assistant, model }) {
      const channel = channels.get(question.channel);
      return route(
        {
          rules,
          chosen: {
            ...(assistant !== null && options.assistants.includes(assistant) ? { assistantId: assistant } : {}),
            ...(model !== null && options.models.includes(model) ? { model } : {}),
          },
          user: channel?.users.get(question.user) ?? NOTHING,
          chat: channel?.chats.get(question.chat) ?? NOTHING,
          channel: channel?.channel ?? NOTHING,
          otherwise: { assistantId },
          rights: rights[question.role],
        },
        question,
      );
    },
    assistants: (role) => options.assistants.filter((name) => allows(rights[role].assistants, name)),
    models: (role) => options.models.filter((name) => allows(rights[role].models, name)),
    skills: (role) => rights[role].skills,
    mayCommand: (role, command) => allows(rights[role].commands, command),
  };
}
