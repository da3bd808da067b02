import type { SavedModel } from '../admin/model-settings.ts';
import { AntlerError } from '../base/errors.ts';
import type { AssistantEntry } from '../config/schema/assistant.ts';
import type { Config } from '../config/schema/config.ts';
import { modelSchema } from '../config/schema/model.ts';
import type { ModelConfig } from '../harness/port.ts';
import { both } from '../people/rights.ts';
import type { ReadyAssistant } from '../runs/turn-handler.ts';
import type { RunWishes } from '../runs/turn-input.ts';
import { assistantOf, modelConfig } from './model-config.ts';
import { SoulFiles } from './soul.ts';
import { subagentsOf } from './subagents.ts';

export interface AssistantBookOptions {
  readonly config: Config;
  /** The model that was connected on the page; asked only when the configuration names none. */
  readonly saved: () => Promise<SavedModel | null>;
  /** Where the built-in demo model answers; starts it at the first call. */
  readonly demoUrl: () => Promise<string>;
  /** What an assistant's soul is by what the owner has approved. Absent: as it is configured. */
  readonly approvedSoul?: (assistant: string, configured: string) => Promise<string>;
  readonly souls?: SoulFiles;
}

/** The configured assistants, each with a model that can be called. */
export interface AssistantBook {
  /**
   * Null when no model is connected. An unknown id is the default assistant's. `skills`: those that people may use; `all`
   * for every one.
   */
  find(id: string, wishes?: RunWishes, skills?: readonly string[]): Promise<ReadyAssistant | null>;
  /** The names for `/status`. */
  describe(id: string, wishes?: RunWishes): Promise<{ readonly assistant: string; readonly model: string | null }>;
  /** Every model that could be asked, for doctor. */
  models(): Promise<readonly ModelConfig[]>;
}

export function createAssistantBook({
  config,
  saved,
  demoUrl,
  approvedSoul = async (_assistant, configured) => configured,
  souls = new SoulFiles(),
}: AssistantBookOptions): AssistantBook {
  const callable = async (model: ModelConfig): Promise<ModelConfig> =>
    model.demo ? { ...model, baseUrl: await demoUrl(), apiKey: 'demo', model: 'demo' } : model;

  async function models(): Promise<readonly ModelConfig[]> {
    if (config.models.length > 0) return Promise.all(config.models.map(modelConfig).map(callable));
    const found = await saved();
    return found === null ? [] : [await callable(savedConfig(found))];
  }

  async function find(
    id: string,
    wishes: RunWishes = {},
    skills: readonly string[] = ['all'],
  ): Promise<ReadyAssistant | null> {
    const name = config.assistants[id] === undefined ? config.assistant_id : id;
    const configuredEntry = config.assistants[name];
    if (configuredEntry === undefined) throw new AntlerError('config_invalid', `no assistant named ${name}`);
    const entry = asWished(configuredEntry, wishes);
    const found = await models();
    const configured = await souls.of(entry);
    const soul = await approvedSoul(name, configured);
    const assistant = assistantOf(name, entry, found, subagentsOf(config.subagents, found), soul);
    return assistant === null
      ? null
      : {
          assistant: { ...assistant, skills: both(assistant.skills ?? [], skills) },
          timeZone: entry.time_zone,
          maxRunMs: entry.max_run_seconds * 1_000,
        };
  }

  return {
    find,
    models,
    describe: async (id, wishes) => {
      const found = await find(id, wishes);
      return { assistant: found?.assistant.id ?? config.assistant_id, model: found?.assistant.model.name ?? null };
    },
  };
}

/** An assistant as somebody wants it here and now. */
const asWished = (entry: AssistantEntry, wishes: RunWishes): AssistantEntry => ({
  ...entry,
  ...(wishes.model === undefined ? {} : { model: wishes.model }),
  ...(wishes.reasoningEffort === undefined ? {} : { reasoning_effort: wishes.reasoningEffort }),
  ...(wishes.maxSteps === undefined ? {} : { max_steps: wishes.maxSteps }),
  ...(wishes.maxRunTokens === undefined ? {} : { max_run_tokens: wishes.maxRunTokens }),
});

/** A model of the page, with the defaults that one in the file would have. */
export function savedConfig(model: SavedModel): ModelConfig {
  return modelConfig(
    modelSchema.parse(
      model.kind === 'demo'
        ? { name: 'demo', demo: true }
        : { name: 'main', base_url: model.baseUrl, api_key: model.apiKey, model: model.model },
    ),
  );
}
