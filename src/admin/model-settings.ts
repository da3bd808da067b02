import { z } from 'zod';
import { AntlerError } from '../base/errors.ts';
import type { Settings } from '../store/port.ts';
import type { Secrets } from './secrets.ts';

/** The model that was chosen on the page rather than in the file. */
export type SavedModel =
  | { readonly kind: 'demo' }
  | { readonly kind: 'endpoint'; readonly baseUrl: string; readonly apiKey: string; readonly model: string };

/** The same without its secret, which need not be readable for showing it. */
export type SavedModelInfo =
  | { readonly kind: 'demo' }
  | { readonly kind: 'endpoint'; readonly baseUrl: string; readonly model: string };

export interface ModelSettings {
  /** Throws `config_invalid` when the key was sealed with a master key that we do not have. */
  read(): Promise<SavedModel | null>;
  info(): Promise<SavedModelInfo | null>;
  save(model: SavedModel): Promise<void>;
  clear(): Promise<void>;
}

const KEY = 'model';

const stored = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('endpoint'), base_url: z.string(), model: z.string(), api_key: z.string() }),
]);

export function modelSettings(settings: Settings, secrets: Secrets): ModelSettings {
  const load = async (): Promise<z.output<typeof stored> | null> => {
    const value = await settings.get(KEY);
    if (value === null || value === undefined) return null;
    const read = stored.safeParse(value);
    if (read.success) return read.data;
    throw new AntlerError('config_invalid', 'The saved model settings cannot be understood; save them again.');
  };
  return {
    read: async () => {
      const model = await load();
      if (model?.kind !== 'endpoint') return model;
      const apiKey = await secrets.open(model.api_key, purposeOf(model.base_url));
      return { kind: 'endpoint', baseUrl: model.base_url, apiKey, model: model.model };
    },
    info: async () => {
      const model = await load();
      return model?.kind === 'endpoint' ? { kind: 'endpoint', baseUrl: model.base_url, model: model.model } : model;
    },
    save: async (model) => {
      if (model.kind === 'demo') return settings.set(KEY, { kind: 'demo' });
      const apiKey = await secrets.seal(model.apiKey, purposeOf(model.baseUrl));
      await settings.set(KEY, { kind: 'endpoint', base_url: model.baseUrl, model: model.model, api_key: apiKey });
    },
    clear: () => settings.delete(KEY),
  };
}

/** Whoever changes the address in the database does not get the key sent there. */
const purposeOf = (baseUrl: string): string => `model api key for ${baseUrl}`;
