import { COMMAND_NAMES } from '../base/commands.ts';
import { didYouMean } from '../base/near.ts';
import { ROLES } from '../base/roles.ts';
import { isMapping, type Path, valueAt } from './path.ts';
import type { Finding } from './validate.ts';

/**
 * Every name that is used for something that is not there, or twice. Reads the tree as it was written, so that these
 * are listed together with whatever else is wrong in it. `tools`: the names that there are, when they are known.
 */
export function wrongNames(tree: unknown, tools: readonly string[] | undefined): Finding[] {
  const models = listAt(tree, ['models']).map((model) => textAt(model, ['name']));
  const assistants = Object.keys(mappingAt(tree, ['assistants']));
  const servers = Object.keys(mappingAt(tree, ['mcp_servers']));
  const agents = Object.keys(mappingAt(tree, ['agents']));
  const check = (what: string, known: readonly (string | undefined)[], path: Path): Finding[] =>
    unknownName(what, textAt(tree, path), known, path);
  const answering = (path: Path): Finding[] => [
    ...check('assistant', assistants, [...path, 'assistant_id']),
    ...check('model', models, [...path, 'model']),
  ];
  /** Names in a list, in which `all` stands for every one. */
  const list = (what: string, known: readonly (string | undefined)[], path: Path): Finding[] =>
    listAt(tree, path).flatMap((_, index) => check(what, [everything, ...known], [...path, index]));
  return [
    ...models.flatMap((name, index) => (models.indexOf(name) < index ? twice(['models', index, 'name'], name) : [])),
    ...assistants.flatMap((id) => [
      ...check('model', models, ['assistants', id, 'model']),
      ...list('MCP server', servers, ['assistants', id, 'mcp_servers']),
      ...list('agent', agents, ['assistants', id, 'agents']),
      ...listAt(tree, ['assistants', id, 'fallbacks']).flatMap((_, index) =>
        check('model', models, ['assistants', id, 'fallbacks', index]),
      ),
      ...(tools === undefined ? [] : list('tool', tools, ['assistants', id, 'tools'])),
    ]),
    ...Object.keys(mappingAt(tree, ['subagents', 'types'])).flatMap((type) => [
      ...check('model', models, ['subagents', 'types', type, 'model']),
      ...(tools === undefined ? [] : list('tool', tools, ['subagents', 'types', type, 'tools'])),
    ]),
    ...check('assistant', assistants, ['assistant_id']),
    ...check('model', models, ['memory', 'model']),
    ...Object.keys(mappingAt(tree, ['budgets', 'overrides', 'assistants'])).flatMap((id) =>
      unknownName('assistant', id, assistants, ['budgets', 'overrides', 'assistants', id], 'key'),
    ),
    ...listAt(tree, ['routing']).flatMap((_, index) => answering(['routing', index])),
    ...Object.keys(mappingAt(tree, ['channels'])).flatMap((name) => [
      ...answering(['channels', name]),
      ...(['chats', 'users'] as const).flatMap((group) =>
        Object.keys(mappingAt(tree, ['channels', name, group])).flatMap((id) =>
          answering(['channels', name, group, id]),
        ),
      ),
    ]),
    ...ROLES.flatMap((role) => [
      ...list('assistant', assistants, ['roles', role, 'assistants']),
      ...list('model', models, ['roles', role, 'models']),
      ...list('command', COMMAND_NAMES, ['roles', role, 'commands']),
      ...(tools === undefined ? [] : list('tool', tools, ['roles', role, 'tools'])),
    ]),
  ];
}

function twice(path: Path, name: string | undefined): Finding[] {
  if (name === undefined) return [];
  return [{ path, part: 'value', message: `another model is named "${name}" already; names must differ` }];
}

function unknownName(
  what: string,
  name: string | undefined,
  candidates: readonly (string | undefined)[],
  path: Path,
  part: Finding['part'] = 'value',
): Finding[] {
  const known = [...new Set(candidates.filter((candidate) => candidate !== undefined))];
  if (name === undefined || known.includes(name) || isDefaultAssistant(what, name, known)) return [];
  const list = known.length === 0 ? `; no ${what} is defined` : `; there is ${known.join(', ')}`;
  return [{ path, part, message: `unknown ${what} "${name}"${didYouMean(name, known) || list}` }];
}

/** What stands for everything. */
const everything = 'all';

/** The assistant that is there when the file defines none. */
export const defaultAssistant = 'lead';

const isDefaultAssistant = (what: string, name: string, known: readonly string[]): boolean =>
  what === 'assistant' && known.length === 0 && name === defaultAssistant;

function textAt(tree: unknown, path: Path): string | undefined {
  const value = valueAt(tree, path);
  return typeof value === 'string' ? value : undefined;
}

function listAt(tree: unknown, path: Path): readonly unknown[] {
  const value = valueAt(tree, path);
  return Array.isArray(value) ? value : [];
}

function mappingAt(tree: unknown, path: Path): Record<string, unknown> {
  const value = valueAt(tree, path);
  return isMapping(value) ? value : {};
}
