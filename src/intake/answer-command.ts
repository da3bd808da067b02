import { AntlerError } from '../base/errors.ts';
import type { ThreadKey } from '../base/ids.ts';
import { type Language, say } from '../base/sentences.ts';
import type { MessageBus, ThreadState } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { Store } from '../store/port.ts';
import type { Command } from './command.ts';
import { stateAt, stopAt } from './conversation.ts';
import type { Pairing } from './pairing.ts';

/** What `/status` says of an assistant. */
export interface AssistantFacts {
  readonly assistant: string;
  /** Null when no model is connected. */
  readonly model: string | null;
}

/** More than ever wait while anybody cares; a bound all the same. */
const LETTERS_LOOKED_AT = 1_000;

export interface CommandScene {
  readonly entry: ChannelEntry;
  readonly message: InboundMessage;
  readonly place: ThreadKey;
  readonly language: Language;
  readonly bus: MessageBus;
  readonly store: Store;
  readonly pairing: Pairing;
  readonly describeAssistant: (assistantId: string) => Promise<AssistantFacts>;
}

/** Does what a command asks and returns what to say to it; nothing when the answer comes from elsewhere. */
export async function answerCommand(command: Command, scene: CommandScene): Promise<string | null> {
  const { language } = scene;
  switch (command.name) {
    case 'start':
      return say(language, 'start');
    case 'help':
      return say(language, 'help');
    case 'new':
      return startAfresh(scene);
    case 'stop':
      return (await stopAt(scene, scene.place)) ? null : say(language, 'nothing_to_stop');
    case 'again':
      return sendAgain(scene);
    case 'status':
      return describe(scene);
    case 'pair':
      return letIn(scene, command.args);
    case 'whoami':
      return describeSender(scene);
  }
}

function describeSender({ message: { sender, channel }, language }: CommandScene): string {
  const { id: user, name } = sender;
  if (name === '') return say(language, 'whoami_unnamed', { user, channel });
  return say(language, 'whoami', { name, user, channel });
}

/** An admin lets a stranger in by their code. */
async function letIn({ pairing, message, entry, language }: CommandScene, code: string): Promise<string> {
  if (!entry.settings.access.admins.includes(message.sender.id)) return say(language, 'admins_only');
  if (code.trim() === '') return say(language, 'pairing_usage');
  try {
    const { name } = await pairing.approve(code, senderKey(message));
    return name === '' ? say(language, 'pairing_done_unnamed') : say(language, 'pairing_done', { name });
  } catch (error) {
    const known = error instanceof AntlerError && (error.code === 'not_found' || error.code === 'bad_input');
    if (!known) throw error;
    return say(language, 'pairing_unknown');
  }
}

async function startAfresh({ store, bus, place, language }: CommandScene): Promise<string> {
  const former = await store.threads.find(place);
  await store.threads.renew(place);
  // What still runs belongs to the conversation that was just left: its answer must not turn up in the new one.
  if (former !== null) await bus.cancel(former.id, 'interrupt');
  return say(language, 'new_thread');
}

/** What was never confirmed, or given up, goes out again, oldest first; only into the chat where it belongs. */
async function sendAgain({ bus, message, language }: CommandScene): Promise<string> {
  const letters = await bus.deadLetters.list(LETTERS_LOOKED_AT);
  const here = letters.filter(
    ({ kind, channel, chat }) => kind !== 'turn' && channel === message.channel && chat === message.chat.id,
  );
  for (const letter of here.toReversed()) await bus.deadLetters.replay(letter.id);
  return say(language, here.length > 0 ? 'again_done' : 'again_nothing');
}

async function describe(scene: CommandScene): Promise<string> {
  const { place, language, entry, describeAssistant } = scene;
  const [state, facts] = await Promise.all([stateAt(scene, place), describeAssistant(entry.settings.assistantId)]);
  return say(language, 'status', {
    state: say(language, STATE_SENTENCE[state.state]),
    waiting: state.waiting,
    assistant: facts.assistant,
    model: facts.model ?? say(language, 'model_none'),
  });
}

const STATE_SENTENCE = {
  idle: 'state_idle',
  queued: 'state_queued',
  delayed: 'state_queued',
  running: 'state_running',
} as const satisfies Record<ThreadState['state'], string>;
