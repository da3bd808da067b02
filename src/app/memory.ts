import { AntlerError } from '../base/errors.ts';
import { threadKey } from '../base/ids.ts';
import { isAtLeast } from '../base/roles.ts';
import type { Config } from '../config/schema/config.ts';
import type { Completer, ModelConfig } from '../harness/port.ts';
import { estimateTokens } from '../harness/transcript/tokens.ts';
import type { Handler } from '../intake/commands/scene.ts';
import { createTell } from '../intake/tell.ts';
import { memoryCommand } from '../memory/command.ts';
import { type Learning, startLearning } from '../memory/extraction/worker.ts';
import { createMemory } from '../memory/memory.ts';
import type { Memory, MemorySettings, Question } from '../memory/port.ts';
import type { AssistantBook } from './assistants.ts';
import { channelBook } from './channels.ts';
import type { Rooms } from './rooms.ts';

const settingsOf = ({ memory }: Pick<Config, 'memory'>): MemorySettings => ({
  maxFacts: memory.max_facts,
  injectTokens: memory.inject_tokens,
  debounceMs: memory.debounce_seconds * 1_000,
  notice: memory.notice,
  noticeInGroups: memory.notice_in_groups,
});

/** What is remembered by this installation. What is known already can be seen and erased also where it is turned off. */
export const memoryOf = ({ config, store, clock }: Pick<Rooms, 'config' | 'store' | 'clock'>): Memory =>
  createMemory({ store, settings: settingsOf(config), tokensOf: estimateTokens, clock });

/** `/memory`. */
export const memoryHandler =
  (memory: Memory): Handler =>
  ({ who, message: { chat, channel }, language, clock }, args) =>
    memoryCommand(
      memory,
      {
        user: who.user.key,
        person: who.user.person,
        group: chat.kind === 'group' ? threadKey({ channel, chat: chat.id }) : null,
        isOperator: isAtLeast(who.role, 'operator'),
        language,
        now: clock.now(),
      },
      args,
    );

/** The worker's part: learns from conversations. Null where memory is turned off. */
export function startLearningOf(rooms: Rooms, completer: Completer, assistants: AssistantBook): Learning | null {
  const { config, store, bus, clock } = rooms;
  if (!config.memory.enabled) return null;
  const settings = settingsOf(config);
  const tell = createTell({ bus, channels: channelBook(config), clock });
  const log = rooms.log.child({ role: 'memory' });
  return startLearning({
    store,
    settings,
    maxFacts: settings.maxFacts,
    complete: async (question) => {
      const models = await modelsFor(question, config, assistants);
      // It answers by rules, of which none is about remembering.
      if (models.some(({ demo }) => demo)) return '{"facts":[]}';
      const { text, ...used } = await completer.complete({ ...question, models });
      log.info(used, 'memory: asked a model what is worth remembering');
      return text;
    },
    tell: async ({ channel, chat, chatKind }, id, markdown) => {
      await tell({ channel, chat, chatKind }, id, markdown);
    },
    clock,
    log,
  });
}

/** The model that is configured for it, else what the conversation's assistant thinks with. */
async function modelsFor(
  { assistant }: Question,
  { memory }: Config,
  assistants: AssistantBook,
): Promise<readonly ModelConfig[]> {
  if (memory.model !== undefined) {
    const named = (await assistants.models()).filter(({ name }) => name === memory.model);
    if (named.length > 0) return named;
  }
  const found = await assistants.find(assistant);
  if (found === null) throw new AntlerError('unavailable', 'no model is connected', { retryable: true });
  return [found.assistant.model, ...found.assistant.fallbacks];
}
