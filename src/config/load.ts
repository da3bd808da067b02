import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Manifest } from '../channel/port.ts';
import { sharedAccounts } from './accounts.ts';
import { type RawChannel, readChannel } from './channels.ts';
import { contradictions } from './contradictions.ts';
import { addEnvironment, ownVariables } from './environment.ts';
import { misspeltVariables } from './misspelt-variables.ts';
import { defaultAssistant, wrongNames } from './names.ts';
import { isMapping, type Path, pathKey, valueAt, withValue } from './path.ts';
import { type Place, type Problem, type WordedProblem, worded } from './problem.ts';
import { assistantSchema } from './schema/assistant.ts';
import { type ChannelConfig, type Config, configSchema, configVersion } from './schema/config.ts';
import { decodeUtf8 } from './utf8.ts';
import { type Finding, validate } from './validate.ts';
import { type Environment, given } from './variables.ts';
import { readYaml, type Source } from './yaml.ts';

export interface LoadOptions {
  /** `--config`; must exist, as must a file that `$ANTLER_CONFIG` names. Absent: `./config.yaml`, if it is there. */
  readonly path?: string;
  readonly env: Environment;
  /** The channel types that there are. */
  readonly manifests: readonly Manifest[];
  /** The names of the tools that there are. Absent: names of tools are not checked. */
  readonly tools?: readonly string[];
  /** From the command line; they beat everything. */
  readonly host?: string;
  readonly port?: number;
  /** Relative paths are meant from here. Default: the working directory. */
  readonly cwd?: string;
}

export type ConfigResult =
  | {
      readonly ok: true;
      readonly config: Config;
      /** The file as it was named; null when there is none. */
      readonly file: string | null;
      /** Not wrong, but probably not meant. */
      readonly warnings: readonly WordedProblem[];
    }
  | { readonly ok: false; readonly file: string | null; readonly problems: readonly WordedProblem[] };

/**
 * Reads the configuration: command line, then `ANTLER_…` variables, then the file, then well-known variables
 * (`OPENAI_…`, `TELEGRAM_…`, `REDIS_URL`, `DATABASE_URL`), then defaults; the first that speaks wins. Never throws:
 * everything that is wrong comes back as a list, at once.
 */
export function loadConfig(options: LoadOptions): ConfigResult {
  const cwd = options.cwd ?? process.cwd();
  const text = readFile(options, cwd);
  if ('problem' in text) return { ok: false, file: text.file, problems: worded([text.problem]) };
  const source = readYaml(text.content, text.file ?? 'config.yaml', options.env);
  const newer = newerVersion(source);
  if (newer !== null) return { ok: false, file: text.file, problems: worded([newer]) };
  return { file: text.file, ...check(source, options, cwd) };
}

type FileText =
  | { readonly file: string | null; readonly content: string }
  | { readonly file: string; readonly problem: Problem };

function readFile(options: LoadOptions, cwd: string): FileText {
  const named = options.path ?? given(options.env, 'ANTLER_CONFIG');
  const file = named ?? 'config.yaml';
  try {
    const decoded = decodeUtf8(readFileSync(resolve(cwd, file)));
    if (decoded.ok) return { file, content: decoded.text };
    const { line, column, offset } = decoded;
    const message = `byte ${offset} of the file belongs to no character of UTF-8; save the file as UTF-8`;
    return { file, problem: { place: { kind: 'file', file, line, column }, path: [], message } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && named === undefined) return { file: null, content: '' };
    const asked = options.path === undefined && named !== undefined ? ' (named by $ANTLER_CONFIG)' : '';
    return { file, problem: { place: { kind: 'whole_file', file }, path: [], message: `${unreadable(code)}${asked}` } };
  }
}

function unreadable(code: string): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'this is a folder, not a file';
    case 'EACCES':
      return 'the file may not be read by this user';
    default:
      return `the file cannot be read (${code})`;
  }
}

/** A newer file is refused as a whole: to list its new keys as unknown would only mislead. */
function newerVersion(source: Source): Problem | null {
  const version = valueAt(source.tree, ['version']);
  if (typeof version !== 'number' || version <= configVersion) return null;
  const message = `this file is of version ${version}, but this Antler understands version ${configVersion}; install a newer Antler`;
  return { place: source.placeOf(['version']), path: ['version'], message };
}

type Checked =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly WordedProblem[] }
  | { readonly ok: false; readonly problems: readonly WordedProblem[] };

function check(source: Source, options: LoadOptions, cwd: string): Checked {
  const enriched = addEnvironment(withoutEmpty(source.tree), options.env, options.manifests);
  const tree = withOptions(enriched.tree, options);
  const fromVariables = new Map([
    ...source.fromVariables,
    ...[...enriched.origins.keys()].map((key) => [key, []] as const),
  ]);
  const written = { fromVariables, numbers: source.numbers };
  const placed = ({ path, part, message }: Finding): Problem => ({ place: place(path, part), path, message });
  const place = (path: Path, part: Finding['part']): Place => {
    const name = enriched.origins.get(pathKey(path));
    return name === undefined ? source.placeOf(path, part) : { kind: 'variable', name };
  };

  const root = validate(configSchema, tree, [], written);
  const publicUrl = valueAt(tree, ['server', 'public_url']);
  const entries = Object.entries(mappingAt(tree, 'channels')).flatMap(([name, entry]) =>
    isMapping(entry) ? [readChannel(name, entry, options.manifests, written, textOf(publicUrl))] : [],
  );
  const channels = entries.flatMap((entry) => entry.channel ?? []);
  const findings = [
    ...root.findings,
    ...entries.flatMap((entry) => entry.findings),
    ...wrongNames(tree, options.tools),
    ...contradictions(tree),
    ...sharedAccounts(channels, options.manifests),
  ];
  const config = root.value === undefined ? null : assemble(root.value, channels, cwd);

  const reported = new Set(source.problems.map((problem) => pathKey(problem.path)));
  const problems = [
    ...source.problems,
    ...enriched.problems.map(ofVariable),
    ...findings.filter((finding) => finding.path.length === 0 || !reported.has(pathKey(finding.path))).map(placed),
  ];
  if (config === null || problems.length > 0) return { ok: false, problems: worded(problems) };
  const used = new Set([...source.fromVariables.values()].flat());
  const warnings = [
    ...[...enriched.warnings, ...misspeltVariables(options.env, ownVariables, used)].map(ofVariable),
    ...entries.flatMap((entry) => entry.warnings).map(placed),
  ];
  return { ok: true, config, warnings: worded(warnings) };
}

const ofVariable = ({ variable, message }: { readonly variable: string; readonly message: string }): Problem => ({
  place: { kind: 'variable', name: variable },
  path: [],
  message,
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A key with nothing behind it says nothing, except that a channel or an assistant of this name exists. */
function withoutEmpty(tree: unknown, path: Path = []): unknown {
  if (Array.isArray(tree)) return tree.map((item, index) => withoutEmpty(item, [...path, index]));
  if (!isMapping(tree)) return tree;
  const holdsEntries = path.length === 1 && (path[0] === 'channels' || path[0] === 'assistants');
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (value === null || value === undefined) return holdsEntries ? [[key, {}]] : [];
      return [[key, withoutEmpty(value, [...path, key])]];
    }),
  );
}

function withOptions(tree: unknown, { host, port }: LoadOptions): unknown {
  const withHost = host === undefined ? tree : withValue(tree, ['server', 'host'], host);
  return port === undefined ? withHost : withValue(withHost, ['server', 'port'], port);
}

const mappingAt = (tree: unknown, key: string): Record<string, unknown> => {
  const value = valueAt(tree, [key]);
  return isMapping(value) ? value : {};
};

type Root = ReturnType<typeof configSchema.parse>;

/** `url: ${REDIS_URL:-}` is how a file says: only where the variable is set. */
function withoutEmptyUrl<Section extends { readonly url?: string | undefined }>(section: Section): Section {
  if (section.url !== '') return section;
  const { url: _, ...rest } = section;
  return rest as Section;
}

/** Fills in the names that may be left out. */
function assemble(root: Root, channels: readonly RawChannel[], cwd: string): Config {
  const assistants =
    Object.keys(root.assistants).length > 0 ? root.assistants : { [defaultAssistant]: assistantSchema.parse({}) };
  const firstModel = root.models[0]?.name;
  const assistant_id = root.assistant_id ?? Object.keys(assistants)[0] ?? defaultAssistant;
  return {
    ...root,
    data_dir: resolve(cwd, root.data_dir),
    skills: { ...root.skills, custom_dir: resolve(cwd, root.skills.custom_dir) },
    redis: withoutEmptyUrl(root.redis),
    database: withoutEmptyUrl(root.database),
    assistants: Object.fromEntries(
      Object.entries(assistants).map(([id, assistant]) => [
        id,
        {
          ...assistant,
          ...(assistant.model === undefined && firstModel !== undefined ? { model: firstModel } : {}),
          ...(assistant.soul_file === undefined ? {} : { soul_file: resolve(cwd, assistant.soul_file) }),
        },
      ]),
    ),
    assistant_id,
    channels: Object.fromEntries(
      channels.map((channel): [string, ChannelConfig] => [
        channel.name,
        { ...channel, assistant_id: channel.assistant_id ?? assistant_id },
      ]),
    ),
  };
}
