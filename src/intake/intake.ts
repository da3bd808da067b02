import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { answerDeliveryId, type ThreadId, type ThreadKey } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { type Language, languageOf, say } from '../base/sentences.ts';
import { type ChannelBook, type ChannelEntry, inChat } from '../channel/book.ts';
import { type ChatRef, dedupeKey, type InboundMessage, senderKey } from '../channel/message.ts';
import { targetOf } from '../channel/target.ts';
import { decideAccess, isOverheard } from '../people/access.ts';
import type { BotGuard } from '../people/bot-guard.ts';
import type { Known, People } from '../people/people.ts';
import type { Question, Route } from '../routing/port.ts';
import { wishesOf } from '../routing/route.ts';
import type { TurnPayload } from '../runs/turn-input.ts';
import type { Thread } from '../store/port.ts';
import { type Command, parseCommand } from './command.ts';
import { answerCommand } from './commands/index.ts';
import type { CommandRooms } from './commands/scene.ts';
import type { Concern } from './concern.ts';
import type { Earlier } from './earlier.ts';
import { asListed, presentChat } from './moved-chat.ts';
import { overhearing } from './overhearing.ts';
import { placeOf } from './place.ts';
import { isOver } from './reset.ts';

export interface IntakeOptions extends CommandRooms {
  readonly channels: ChannelBook;
  readonly people: People;
  readonly bots: BotGuard;
  /** An assistant's time zone, as an IANA name. */
  readonly timeZone: (assistantId: string) => string;
  /** What belongs to something else than the chat's conversation. Absent: nothing does. */
  readonly concern?: Concern;
  /** What was said before the bot was called somewhere. */
  readonly earlier: Earlier;
  /** A message was admitted and stored: what it brings along may be fetched now. Must not throw. */
  readonly admitted: (message: InboundMessage, thread: ThreadId) => void;
  /** What to speak with people of whom nothing tells what they speak. */
  readonly language: Language;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Takes a message in: access first, then a command answered here or a turn published. Resolves when nothing of it can
 * be lost any more; rejects when nothing was stored, and then the platform must deliver it again.
 */
export type Intake = (message: InboundMessage) => Promise<void>;

/** A refusal is told once in this time, so that a stranger cannot make the bot talk without end. */
const REFUSAL_SILENCE_MS = 600_000;
/** The same for messages that are not taken: one by one, the words about a flood would go out before any answer. */
const NOT_TAKEN_SILENCE_MS = 10_000;
/** Longer than any command takes; the claim of a gateway that died in the middle is free again after this. */
const COMMAND_HOLD_MS = 30_000;

export function createIntake(options: IntakeOptions): Intake {
  const { bus, store, channels, people, pairing, router, log, clock } = options;

  /** A message with where it belongs and how its sender is spoken to. */
  interface Case {
    readonly entry: ChannelEntry;
    readonly message: InboundMessage;
    /** By the id that it has now. */
    readonly chat: ChatRef;
    readonly place: ThreadKey;
    /** Where what is said in the bot's hearing is kept for it; null: nowhere. */
    readonly hearing: ThreadKey | null;
    readonly language: Language;
  }

  /** One that is admitted, with who sent it and who answers. */
  interface Admitted extends Case {
    readonly who: Known;
    readonly route: Route;
  }

  async function accept(message: InboundMessage): Promise<void> {
    const configured = channels.get(message.channel);
    if (configured === undefined) throw new AntlerError('not_found', `no channel named ${message.channel}`);
    if (message.migratedTo !== undefined) return follow(message, message.migratedTo);
    const chat = await presentChat(message, store.chatMoves);
    const listed = await asListed(chat, message.channel, configured.settings.access, store.chatMoves);
    const entry = { ...configured, settings: inChat(configured.settings, listed.id) };
    const place = placeOf({ ...message, chat }, entry.settings.groupScope);
    const heard = overhearing({ settings: entry.settings, store, log, clock });
    if (message.kind === 'recall') {
      await heard.follow({ message, chat });
      return recall(place, message);
    }
    if (message.kind === 'reaction') return reacted(message, { entry, chat, listed, place });
    if (message.kind !== 'message' && message.kind !== 'action' && message.kind !== 'edit') {
      log.debug({ channel: message.channel, kind: message.kind }, 'event noted, nothing to answer');
      return;
    }
    const decision = decideAccess(entry.settings.access, { ...message, chat: listed });
    if (message.kind === 'edit') await heard.follow({ message, chat });
    if (decision === 'ignore') {
      const isMeantForOthers = isOverheard(entry.settings.access, { ...message, chat: listed });
      return isMeantForOthers ? heard.keep({ message, chat }) : undefined;
    }
    const found: Case = {
      entry,
      message,
      chat,
      place,
      hearing: heard.at({ message, chat }),
      language: languageOf(message.sender.language, message.text, options.language),
    };
    if (decision === 'bot' && !(await mayAnswerBot(entry, message))) return;
    const command = message.kind === 'message' ? commandIn(message) : null;
    // Who has the code of the first start need not be let in by anybody.
    const claims = command?.name === 'claim' && message.chat.kind === 'dm' && (await options.ownerClaim.isOpen());
    if (decision === 'refuse' && !claims)
      return refuse(found, () => say(found.language, 'access_denied', { user: message.sender.id }));
    if (decision === 'pair' && !claims && !(await pairing.isAdmitted(message.channel, message.sender.id)))
      return refuse(found, () => pairing.ask(message, found.language));
    if (command !== null) return obey(command, await admit(found));
    const concerned = message.kind === 'edit' ? null : ((await options.concern?.(message, chat.id)) ?? null);
    if (concerned !== null) {
      const admitted = await admit(found);
      return once(admitted, () => concerned({ ...options, ...admitted }));
    }
    // Both are ways to the database and back that do not wait for one another.
    const [admitted, thread] = await Promise.all([admit(found), store.threads.open(found.place)]);
    const { assistantId } = admitted.route;
    if (assistantId === null) return refuse(found, () => say(admitted.language, 'assistant_denied'));
    return publishTurn(admitted, assistantId.value, await goneOnWith(thread, admitted, assistantId.value));
  }

  /** A reaction is to the bot where it stands for something that the bot is to do; nobody is refused for any other. */
  async function reacted(
    message: InboundMessage,
    { listed, ...at }: Pick<Case, 'entry' | 'chat' | 'place'> & { readonly listed: ChatRef },
  ): Promise<void> {
    const concerned = (await options.concern?.(message, at.chat.id)) ?? null;
    if (concerned === null) return;
    const decision = decideAccess(at.entry.settings.access, { ...message, addressed: 'mention', chat: listed });
    const isLetIn = decision === 'pair' && (await pairing.isAdmitted(message.channel, message.sender.id));
    if (decision !== 'allow' && !isLetIn) return;
    const language = languageOf(message.sender.language, '', options.language);
    const admitted = await admit({ ...at, message, hearing: null, language });
    await once(admitted, () => concerned({ ...options, ...admitted }));
  }

  /** Finds out who sent it and who answers. */
  async function admit(found: Case): Promise<Admitted> {
    const { entry, message, place } = found;
    const [who, choice] = await Promise.all([people.meet(message, entry), store.choices.get(place)]);
    return {
      ...found,
      language: who.user.chosenLanguage ?? found.language,
      who,
      route: router.route(questionOf(message, who), choice),
    };
  }

  async function mayAnswerBot({ settings: { access } }: ChannelEntry, message: InboundMessage): Promise<boolean> {
    const { channel, chat, sender } = message;
    return access.bots !== null && (await options.bots.mayAnswer(access.bots, channel, chat.id, sender.id));
  }

  /** What a message brings about besides its answer. */
  async function note({ message, chat, entry }: Case): Promise<void> {
    const { channel, sender } = message;
    const { bots } = entry.settings.access;
    await Promise.all([
      people.note(message),
      store.chats.see(
        {
          channel,
          chat: chat.id,
          kind: chat.kind,
          title: chat.title ?? null,
          imUser: chat.kind === 'dm' ? senderKey(message) : null,
        },
        clock.now(),
      ),
      ...(bots === null || sender.isBot ? [] : [options.bots.personSpoke(bots, channel, chat.id)]),
    ]);
  }

  /** The thread that a message goes on with: the place's current one, unless that is over. */
  async function goneOnWith(thread: Thread, { entry, place }: Case, assistantId: string): Promise<Thread> {
    const { reset } = entry.settings;
    if (reset.idleMs === null && reset.dailyAtMinute === null) return thread;
    const lastAt = await store.threads.lastRunAt(thread.id);
    if (lastAt === null || !isOver(reset, lastAt, clock.now(), options.timeZone(assistantId))) return thread;
    const { state, waiting } = await bus.threadState(thread.id);
    return state === 'idle' && waiting === 0 ? store.threads.leave(place, thread.id) : thread;
  }

  async function publishTurn(found: Admitted, assistantId: string, thread: Thread): Promise<void> {
    const { entry, message, place, hearing, language, who, route } = found;
    const earlier = await options.earlier({ ...found, thread: thread.id });
    const payload: TurnPayload = {
      ...{ message, place, assistantId, language, role: who.role, wishes: wishesOf(route) },
      ...(earlier.length === 0 ? {} : { earlier }),
      ...(hearing === null ? {} : { hearing }),
    };
    if (message.kind === 'edit') {
      // What still waits is answered as it reads now; what is being answered hears of the change like of any message.
      const asNew: TurnPayload = { ...payload, message: { ...message, kind: 'message' } };
      const edited = await bus.amend(thread.id, originalKey(message), asNew);
      log.debug({ channel: message.channel, thread: thread.id, edited }, 'a message was edited');
      if (edited === 'changed') options.admitted(message, thread.id);
      if (edited !== 'active') return;
    }
    const published = await bus.publish({
      thread: thread.id,
      channel: message.channel,
      chat: `${message.channel}/${message.chat.id}`,
      user: senderKey(message),
      busy: entry.settings.busy,
      quiet: entry.settings.quiet,
      dedupeKey: dedupeKey(message),
      payload,
      at: clock.now(),
    });
    if (published.status === 'accepted') options.admitted(message, thread.id);
    // Where it was said can be written down while the run begins.
    await note(found);
    log.debug({ channel: message.channel, thread: thread.id, status: published.status }, 'message taken in');
    if (published.status === 'full' || published.status === 'busy') {
      const words = say(language, published.status === 'full' ? 'inbox_full' : 'busy_rejected');
      await sayRarely(found, `not taken/${thread.id}/${senderKey(message)}`, NOT_TAKEN_SILENCE_MS, () => words);
    }
  }

  /** What was taken back is not answered: it leaves the inbox, or its run ends if it was all that the run was asked. */
  async function recall(place: ThreadKey, message: InboundMessage): Promise<void> {
    const thread = await store.threads.find(place);
    if (thread === null) return;
    const recalled = await bus.withdraw(thread.id, originalKey(message));
    if (recalled === 'alone') await bus.cancel(thread.id, 'interrupt');
    log.debug({ channel: message.channel, thread: thread.id, recalled }, 'a message was taken back');
  }

  /** A chat's conversations go on under its new id; what waits or runs in them knows them by other ids, which stay. */
  async function follow({ channel, chat }: InboundMessage, newId: string): Promise<void> {
    if (!(await store.chatMoves.move(channel, chat.id, newId, clock.now()))) return;
    log.info({ channel, chat: chat.id, newId }, 'a chat has a new id; its conversations and its access go with it');
  }

  const obey = (command: Command, found: Admitted): Promise<void> =>
    once(found, () => answerCommand(command, { ...options, ...found }));

  /** Does something once, however often its message is delivered; a failure frees it for the redelivery. */
  async function once(found: Admitted, work: () => Promise<string | null>): Promise<void> {
    const key = dedupeKey(found.message);
    const claimed = await bus.claims.claim(key, COMMAND_HOLD_MS);
    if (claimed === 'done') return;
    // Whoever is at it may have died: the platform must not take this for done.
    if (claimed === 'held') throw new AntlerError('unavailable', 'the command is in hand already', { retryable: true });
    try {
      await note(found);
      const words = await work();
      if (words !== null) await answer(found, words);
      await bus.claims.complete(key);
    } catch (error) {
      await bus.claims.release(key).catch(() => {}); // it frees itself after COMMAND_HOLD_MS
      throw error;
    }
  }

  /** Tells a sender how to get in; `words` are asked for only when they are said. */
  async function refuse(found: Case, words: () => string | Promise<string>): Promise<void> {
    const { channel, sender } = found.message;
    await sayRarely(found, `refused/${channel}/${sender.id}`, REFUSAL_SILENCE_MS, () => {
      log.info({ channel, user: sender.id }, 'refused a sender who is not let in');
      return words();
    });
  }

  /** Answers unless that was done under this key within `silenceMs`. */
  async function sayRarely(
    found: Case,
    key: string,
    silenceMs: number,
    words: () => string | Promise<string>,
  ): Promise<void> {
    if ((await bus.claims.claim(key, silenceMs)) !== 'yours') return;
    try {
      await answer(found, await words());
    } catch (error) {
      await bus.claims.release(key).catch(() => {}); // it frees itself after `silenceMs`
      throw error;
    }
  }

  async function answer({ entry, message }: Case, markdown: string): Promise<void> {
    const target = targetOf(message);
    await bus.outbox.enqueue([
      {
        id: answerDeliveryId(dedupeKey(message), 0),
        channel: message.channel,
        target,
        document: { markdown },
        limits: entry.manifest.limits(message.channel, target, 'send'),
        at: clock.now(),
        resendForMs: entry.settings.resendForMs,
      },
    ]);
  }

  return accept;
}

const questionOf = ({ channel, chat, sender, text, mentions }: InboundMessage, { role }: Known): Question => ({
  channel,
  chat: chat.id,
  chatKind: chat.kind,
  user: sender.id,
  role,
  text,
  mentions: mentions.map(({ name }) => name),
});

/** The key under which a message was published that is edited or taken back now. */
const originalKey = (message: InboundMessage): string => dedupeKey({ ...message, kind: 'message' });

/** Calling the bot by its name and saying nothing gets a greeting. */
function commandIn(message: InboundMessage): Command | null {
  const nothing = message.text.trim() === '' && message.quote === undefined && message.files.length === 0;
  return nothing ? { name: 'start', args: '' } : parseCommand(message.text);
}
