import { property } from '../../src/base/property.ts';
import { languageOf, say } from '../../src/base/sentences.ts';
import { DoubleClicks } from '../../src/channel/double-clicks.ts';
import { pressedValue } from '../../src/channel/kept-values.ts';
import type { InboundMessage } from '../../src/channel/message.ts';
import type { AdapterContext } from '../../src/channel/port.ts';
import type { BotIdentity, SlackApi } from './api.ts';
import type { Askers } from './askers.ts';
import type { SlackConfig } from './config.ts';
import type { Directory } from './directory.ts';
import type { Installation } from './installation.ts';
import { MentionTwins } from './mention-twins.ts';
import type { Moves } from './moves.ts';
import { type Handout, typeOf } from './normalize/handout.ts';
import { idsIn } from './normalize/ids.ts';
import { normalize } from './normalize/index.ts';
import type { Responses } from './outbound/respond.ts';
import type { Threads } from './threads.ts';
import type { UserGroups } from './user-groups.ts';

/** A handout is durable, or there was nothing in it. `answer`: what Slack wants to be told along with that. */
export interface Taken {
  readonly answer?: object;
}

export type Receive = (handout: Handout) => Promise<Taken>;

export interface ReceiverParts {
  readonly context: AdapterContext<SlackConfig>;
  readonly api: SlackApi;
  readonly bot: BotIdentity;
  readonly directory: Directory;
  readonly groups: UserGroups;
  readonly threads: Threads;
  readonly moves: Moves;
  readonly askers: Askers;
  readonly responses: Responses;
  readonly installation: Installation;
}

/** Hands to intake what Slack hands out; resolves once it is durable, or when there is nothing in it for anybody. */
export function receiver(parts: ReceiverParts): Receive {
  const { context, api, bot, directory, groups, threads, moves, askers, responses, installation } = parts;
  const { channel, clock, log, state, accept } = context;
  const twins = new MentionTwins(api);
  const clicks = new DoubleClicks();

  return async (told) => {
    await noteChange(told);
    const handout = await twins.whole(told);
    await directory.lookUp(idsIn(handout));
    const message = normalize(handout, { channel, bot, names: directory, now: clock.now() });
    if (message === null || clicks.isSecond(message)) {
      log.debug({ channel, type: typeOf(handout) }, 'nothing to take in from this');
      return answerTo(handout);
    }
    if (message.migratedTo !== undefined) await moves.note(message.chat.id, message.migratedTo);
    const complete = await completed(message);
    const url = property(handout.body, 'response_url');
    if (complete === null) {
      await responses.tell(url, say(languageOf(message.sender.language), 'button_stale'));
      return answerTo(handout);
    }
    if (complete.addressed !== 'none') askers.note(complete);
    if (handout.kind === 'command') responses.noteCommand(message.chat.id, message.id, url);
    if (handout.kind === 'interactive') responses.notePress(message.id, url);
    await accept(complete);
    return answerTo(handout);
  };

  /** Adds what only the channel's state knows; null for a button whose value nobody knows any more. */
  async function completed(message: InboundMessage): Promise<InboundMessage | null> {
    if (message.kind === 'action') {
      const text = await pressedValue(message.text, state);
      return text === null ? null : { ...message, text };
    }
    const { addressed, chat, topic, id, kind, text, mentions } = message;
    const isReply =
      chat.kind === 'group' && topic !== undefined && topic !== id && (kind === 'message' || kind === 'edit');
    const isForAnother = mentions.some(({ name }) => text.startsWith(`@${name}`));
    if (addressed !== 'none' || !isReply || isForAnother) return message;
    return (await threads.has(chat.id, topic)) ? { ...message, addressed: 'topic-participant' } : message;
  }

  /** Events that change what we know rather than say something. */
  async function noteChange(handout: Handout): Promise<void> {
    const event = property(handout.body, 'event');
    switch (property(event, 'type')) {
      case 'user_change':
        directory.forget(property(property(event, 'user'), 'id'));
        break;
      case 'channel_rename':
      case 'group_rename':
        directory.forget(property(property(event, 'channel'), 'id'));
        break;
      case 'subteam_created':
      case 'subteam_updated':
      case 'subteam_members_changed':
        groups.forget();
        break;
      case 'tokens_revoked':
      case 'app_uninstalled':
        await installation.doubt();
        break;
      default:
        await installation.trust();
    }
    if (property(handout.body, 'type') === 'app_rate_limited')
      log.warn({ channel }, 'Slack drops events of this app, because there are more than 30,000 an hour');
    if (property(event, 'subtype') === 'ekm_access_denied')
      log.warn(
        { channel },
        'Slack withholds a message: the organisation has revoked the key that it is encrypted with',
      );
  }
}

/** A menu that asks for its options waits for an answer, even if there are none. */
function answerTo(handout: Handout): Taken {
  const asksForOptions = property(handout.body, 'type') === 'block_suggestion';
  return asksForOptions ? { answer: { options: [] } } : {};
}
