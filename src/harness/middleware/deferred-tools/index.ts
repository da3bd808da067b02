import { z } from 'zod';
import { AntlerError } from '../../../base/errors.ts';
import { findBest } from '../../search.ts';
import { TOOL_SEARCH } from '../../tools/names.ts';
import { defineTool, type Tool } from '../../tools/port.ts';
import { readArguments } from '../../tools/read-arguments.ts';
import { parseArguments } from '../../transcript/arguments.ts';
import type { MiddlewareKind, Run } from '../port.ts';

/** An assistant with more tools than this is not told what all of them do, unless it says another number. */
const DEFAULT_MOST = 40;
/** Names of tools that are listed; of more only their number is told. */
const MAX_LISTED = 300;
const MAX_FOUND = 5;
/** Once found a tool stays for the conversation; of so many. */
const MAX_PROMOTED = 40;
const STATE = 'promoted_tools';

const promotedSchema = z.array(z.string());
const searchSchema = z.object({
  query: z.string().trim().min(1).max(300).describe('Words for what it should do, in English; or names of the list.'),
});

const searchTool = defineTool({
  name: TOOL_SEARCH,
  description:
    'Finds tools among those that are only named to you, by words or by their names. Those that it finds can be called from your next step on, for the rest of the conversation.',
  input: searchSchema,
  trust: 'local',
  run: () => {
    throw new AntlerError('unavailable', 'there is nothing to search');
  },
});

/**
 * Spares the model the descriptions of many tools: those from outside are only named, until `tool_search` finds them.
 * Our own are always described, and so is everything where there are few.
 */
export const deferredTools: MiddlewareKind = {
  name: 'deferred-tools',
  create: () => {
    /** Those of this step that are not described in full, and could be. */
    let named: readonly Tool[] = [];
    return {
      beforeModel: (run, draft) => {
        const most = run.request.assistant.maxDescribedTools ?? DEFAULT_MOST;
        named = draft.tools.length > most ? draft.tools.filter(({ origin }) => origin !== undefined) : [];
        if (named.length === 0) return draft;
        const promoted = promotedIn(run);
        const described = draft.tools.filter(({ name, origin }) => origin === undefined || promoted.has(name));
        // All of them, the found ones too: a list that never changes stays cached at the endpoint.
        return { ...draft, system: `${draft.system}\n\n${listOf(named)}`, tools: [...described, searchTool] };
      },
      wrapTool: async (run, call, next) => {
        const name = call.name;
        if (name === TOOL_SEARCH && named.length > 0) return { status: 'ok', text: search(run, named, call.arguments) };
        if (!named.some((tool) => tool.name === name) || promotedIn(run).has(name)) return next(call);
        return { status: 'error', text: notYet(name) };
      },
    };
  },
};

const notYet = (name: string): string =>
  `Error: not run: you do not know yet what ${name} takes. Call ${TOOL_SEARCH} with its name, then call it in the next step.`;

/** @throws AntlerError `bad_input`. */
function search(run: Run, tools: readonly Tool[], written: string): string {
  const parsed = parseArguments(written);
  const args = readArguments(searchSchema, parsed.ok ? parsed.value : {});
  if (!args.success) throw new AntlerError('bad_input', z.prettifyError(args.error));
  const found = findBest(tools, args.data.query, MAX_FOUND);
  if (found.length === 0)
    return 'No tool fits these words. Try others, in English, or a name of the list; or do without.';
  const names = found.map(({ name }) => name);
  const before = [...promotedIn(run)].filter((name) => !names.includes(name));
  run.keep(STATE, [...before, ...names].slice(-MAX_PROMOTED));
  const lines = found.map(({ name, description }) => `${name}: ${description}`);
  return `These can be called from the next step on:\n${lines.join('\n')}`;
}

const promotedIn = (run: Run): ReadonlySet<string> => new Set(promotedSchema.safeParse(run.state(STATE)).data ?? []);

/** Names are in the characters that endpoints take, so they need no escaping. */
function listOf(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name).sort();
  const more = names.length - MAX_LISTED;
  return [
    `There are more tools, which you can call once ${TOOL_SEARCH} has found them:`,
    ...names.slice(0, MAX_LISTED).map((name) => `- ${name}`),
    ...(more > 0 ? [`and ${more} more, which ${TOOL_SEARCH} finds as well.`] : []),
  ].join('\n');
}
