import type { Clock } from '../../base/clock.ts';
import type { CommandName } from '../../base/commands.ts';
import type { ThreadKey } from '../../base/ids.ts';
import type { Language } from '../../base/sentences.ts';
import type { MessageBus } from '../../bus/port.ts';
import type { ChannelEntry } from '../../channel/book.ts';
import type { ChatRef, InboundMessage } from '../../channel/message.ts';
import type { Known } from '../../people/people.ts';
import type { Route } from '../../routing/port.ts';
import type { Router } from '../../routing/router.ts';
import type { Store } from '../../store/port.ts';
import type { Linking } from '../linking.ts';
import type { OwnerClaim } from '../owner-claim.ts';
import type { Pairing } from '../pairing.ts';
import type { Tell } from '../tell.ts';

/** What `/status` says of an assistant. */
export interface AssistantFacts {
  readonly assistant: string;
  /** Null when no model is connected. */
  readonly model: string | null;
}

/** What commands work with. */
export interface CommandRooms {
  readonly bus: MessageBus;
  readonly store: Store;
  readonly pairing: Pairing;
  readonly linking: Linking;
  readonly ownerClaim: OwnerClaim;
  readonly router: Router;
  readonly tell: Tell;
  readonly describeAssistant: (route: Route) => Promise<AssistantFacts>;
  /** Commands of other rooms. */
  readonly more: Readonly<Partial<Record<CommandName, Handler>>>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Who asks for something, where, and what it would be answered by. */
export interface CommandScene extends CommandRooms {
  readonly entry: ChannelEntry;
  readonly message: InboundMessage;
  /** By the id that it has now. */
  readonly chat: ChatRef;
  readonly place: ThreadKey;
  readonly language: Language;
  readonly who: Known;
  readonly route: Route;
}

/** Does what a command asks and returns what to say to it; null when the answer comes from elsewhere. */
export type Handler = (scene: CommandScene, args: string) => string | null | Promise<string | null>;
