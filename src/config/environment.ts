import type { Manifest } from '../channel/port.ts';
import { isMapping, type Path, pathKey, valueAt, withValue } from './path.ts';
import { isHttpUrl, urlExpected } from './schema/text.ts';
import { fieldsOf, shapeOf } from './shape.ts';
import { type Environment, given } from './variables.ts';

/** The channel type that needs no platform, so it is there unless it is disabled. */
export const builtInType = 'web';

/** A tree with what the environment adds to it. */
export interface Enriched {
  readonly tree: unknown;
  /** The variable that each added value came from, by {@link pathKey}. */
  readonly origins: ReadonlyMap<string, string>;
  readonly warnings: readonly Remark[];
  readonly problems: readonly Remark[];
}

/** Something to say about a variable. */
interface Remark {
  readonly variable: string;
  readonly message: string;
}

/** Said to this very process, so they beat the file. */
const overrides: readonly (readonly [string, Path])[] = [
  ['ANTLER_HOST', ['server', 'host']],
  ['ANTLER_PORT', ['server', 'port']],
  ['ANTLER_PUBLIC_URL', ['server', 'public_url']],
  ['ANTLER_OWNER_TOKEN', ['server', 'owner_token']],
  ['ANTLER_DATA_DIR', ['data_dir']],
  ['ANTLER_LOG_LEVEL', ['log', 'level']],
];

/** Every `ANTLER_…` variable that means something, here or to the commands. */
export const ownVariables: readonly string[] = [
  ...overrides.map(([variable]) => variable),
  'ANTLER_CONFIG',
  'ANTLER_SECRET_KEY',
  'ANTLER_WORKER_ID',
];

/** Known by many programs, so they count only where the file says nothing. */
const fallbacks: readonly (readonly [string, Path])[] = [
  ['REDIS_URL', ['redis', 'url']],
  ['DATABASE_URL', ['database', 'url']],
  ['DOCKER_HOST', ['sandbox', 'host']],
];

/** Adds what the environment says: without any file it is enough for a model and a bot. */
export function addEnvironment(tree: unknown, env: Environment, manifests: readonly Manifest[]): Enriched {
  const draft = new Draft(tree, env);
  for (const [variable, path] of overrides) draft.take(variable, path);
  for (const [variable, path] of fallbacks) if (draft.at(path) === undefined) draft.take(variable, path);
  if (draft.at(['models']) === undefined) addModel(draft);
  for (const manifest of manifests) if (manifest.type !== builtInType) addChannel(draft, manifest);
  addBuiltIn(draft, manifests);
  return draft;
}

class Draft implements Enriched {
  tree: unknown;
  readonly origins = new Map<string, string>();
  readonly warnings: Remark[] = [];
  readonly problems: Remark[] = [];
  readonly #env: Environment;

  constructor(tree: unknown, env: Environment) {
    this.tree = tree;
    this.#env = env;
  }

  at(path: Path): unknown {
    return valueAt(this.tree, path);
  }

  given(variable: string): string | undefined {
    return given(this.#env, variable);
  }

  has(variable: string): boolean {
    return this.given(variable) !== undefined;
  }

  /** Puts a variable's value at `path`, when it is set and there is room for it. */
  take(variable: string, path: Path): void {
    const value = given(this.#env, variable);
    if (value === undefined || this.#isBlocked(path)) return;
    this.put(path, value);
    this.origins.set(pathKey(path), variable);
  }

  put(path: Path, value: unknown): void {
    this.tree = withValue(this.tree, path, value);
  }

  /** Something on the way is of a wrong type: that must be reported, not be overwritten. */
  #isBlocked(path: Path): boolean {
    return path.slice(0, -1).some((_, index) => {
      const value = this.at(path.slice(0, index + 1));
      return value !== undefined && !isMapping(value) && !Array.isArray(value);
    });
  }
}

function addModel(draft: Draft): void {
  const hasEndpoint = draft.has('OPENAI_API_KEY') || draft.has('OPENAI_BASE_URL');
  if (!hasEndpoint && !draft.has('OPENAI_MODEL')) return;
  if (!draft.has('OPENAI_MODEL')) {
    const variable = draft.has('OPENAI_API_KEY') ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL';
    const message =
      'is set but OPENAI_MODEL is not, so no model is connected; set OPENAI_MODEL to a name such as gpt-5-mini';
    draft.warnings.push({ variable, message });
    // With a model it is checked as the model's.
    const baseUrl = draft.given('OPENAI_BASE_URL');
    if (baseUrl !== undefined && !isHttpUrl(baseUrl))
      draft.problems.push({ variable: 'OPENAI_BASE_URL', message: urlExpected });
    return;
  }
  if (!hasEndpoint) {
    const message =
      'is set but neither OPENAI_API_KEY nor OPENAI_BASE_URL is, so no model is connected; set the key, or the URL of a server that needs none';
    draft.warnings.push({ variable: 'OPENAI_MODEL', message });
    return;
  }
  draft.put(['models'], [{ name: 'main' }]);
  draft.take('OPENAI_API_KEY', ['models', 0, 'api_key']);
  draft.take('OPENAI_BASE_URL', ['models', 0, 'base_url']);
  draft.take('OPENAI_MODEL', ['models', 0, 'model']);
}

/**
 * `<TYPE>_<KEY>` stands for a key of the channel that is named as its type: `TELEGRAM_BOT_TOKEN` for `bot_token` of
 * `telegram`. All required keys together make the channel, or where none is required any key does, unless the file has
 * one of that type already. A key may have a second variable, where people would look for another name.
 */
function addChannel(draft: Draft, manifest: Manifest): void {
  const fields = [...(fieldsOf(manifest.config) ?? [])].map(([key, schema]) => ({
    key,
    variable: variableOf(`${manifest.type}_${key}`.toUpperCase(), shapeOf(schema).variable, draft),
    required: shapeOf(schema).required,
  }));
  const here = ['channels', manifest.type];
  if (!isMapping(draft.at(here))) {
    const required = fields.filter((field) => field.required);
    const missing = required.filter((field) => !draft.has(field.variable));
    const making = required.length > 0 ? required : fields;
    const first = making.find((field) => draft.has(field.variable));
    if (first === undefined || hasType(draft, manifest.type)) return;
    if (missing.length > 0) {
      const names = missing.map((field) => field.variable).join(' and ');
      draft.warnings.push({ variable: first.variable, message: `is set, but the channel also needs ${names}` });
      return;
    }
  }
  for (const { key, variable } of fields)
    if (draft.at([...here, key]) === undefined) draft.take(variable, [...here, key]);
}

const variableOf = (usual: string, other: string | undefined, draft: Draft): string =>
  other !== undefined && !draft.has(usual) ? other : usual;

function hasType(draft: Draft, type: string): boolean {
  const channels = draft.at(['channels']);
  if (!isMapping(channels)) return false;
  return Object.entries(channels).some(([name, channel]) => (isMapping(channel) && (channel.type ?? name)) === type);
}

function addBuiltIn(draft: Draft, manifests: readonly Manifest[]): void {
  if (!manifests.some((manifest) => manifest.type === builtInType) || hasType(draft, builtInType)) return;
  const channels = draft.at(['channels']) ?? {};
  if (isMapping(channels)) draft.put(['channels', builtInType], {});
}
