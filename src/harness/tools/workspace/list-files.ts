import { z } from 'zod';
import { AREA_PATHS, placeOf, USER_DATA } from '../../sandbox/paths.ts';
import type { WorkspaceEntry } from '../../sandbox/port.ts';
import { sizeText } from '../../transcript/text.ts';
import { defineTool } from '../port.ts';
import { globMatcher } from './glob-pattern.ts';
import { interesting } from './look.ts';
import { openWithUploads } from './open.ts';

const MAX_SHOWN = 300;
const whereInput = z
  .string()
  .min(1)
  .max(1_024)
  .optional()
  .describe(`The folder to look in; left out: ${USER_DATA}, which holds uploads, workspace and outputs.`);

export const listFiles = defineTool({
  name: 'list_files',
  description: `Lists your files: what people have sent in this conversation is in ${AREA_PATHS.uploads}, your work in ${AREA_PATHS.workspace}, what is for them in ${AREA_PATHS.outputs}.`,
  input: z.object({
    path: whereInput,
    deep: z.boolean().optional().describe('What is in the folders below as well; left out: yes for the whole.'),
  }),
  trust: 'remote',
  needs: 'files',
  run: async ({ path = USER_DATA, deep }, context, signal) => {
    const root = placeOf(path).path;
    const workspace = await openWithUploads(context, signal);
    const isDeep = deep ?? root === USER_DATA;
    const found = isDeep
      ? await interesting(workspace, root)
      : await workspace.list(root, { deep: false, limit: MAX_SHOWN + 1 });
    return shown(found, `${root} is empty.`);
  },
});

export const glob = defineTool({
  name: 'glob',
  description: 'Finds files by their names, e.g. *.csv, **/test_*.py or src/**/*.{ts,js}; newest first.',
  input: z.object({ pattern: z.string().min(1), path: whereInput }),
  trust: 'remote',
  needs: 'files',
  run: async ({ pattern, path = USER_DATA }, context, signal) => {
    const root = placeOf(path).path;
    const fits = globMatcher(pattern);
    const workspace = await openWithUploads(context, signal);
    const found = (await interesting(workspace, root)).filter(({ kind, from }) => kind !== 'folder' && fits(from));
    const sorted = found.toSorted((a, b) => b.changedAt - a.changedAt);
    return shown(sorted, `No file below ${root} has a name like ${pattern}. list_files shows what there is.`);
  },
});

function shown(entries: readonly WorkspaceEntry[], nothing: string): string {
  if (entries.length === 0) return nothing;
  const lines = entries.slice(0, MAX_SHOWN).map(line);
  const rest = entries.length - MAX_SHOWN;
  return rest > 0 ? `${lines.join('\n')}\n… and more: look in one folder, or use glob.` : lines.join('\n');
}

/** Names of files are strangers' words, and one line each. */
function line({ path, kind, bytes }: WorkspaceEntry): string {
  const name = path.replace(/\p{Cc}/gu, '?');
  if (kind === 'folder') return `${name}/`;
  return kind === 'link' ? `${name} (a link)` : `${name} (${sizeText(bytes)})`;
}
