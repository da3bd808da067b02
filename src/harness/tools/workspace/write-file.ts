import { z } from 'zod';
import { AREA_PATHS, placeOf } from '../../sandbox/paths.ts';
import type { Workspace } from '../../sandbox/port.ts';
import { sizeText } from '../../transcript/text.ts';
import { defineTool } from '../port.ts';
import { encoded, readForEdit } from './text.ts';

/** About what a model writes in one answer. */
const MAX_CONTENT_CHARS = 200_000;

export const pathInput = z
  .string()
  .min(1)
  .max(1_024)
  .describe('Relative paths are below /mnt/user-data/workspace, e.g. report.md or src/main.py.');
const contentInput = z.string().max(MAX_CONTENT_CHARS, `at most ${MAX_CONTENT_CHARS} characters at once`);

export const writeFile = defineTool({
  name: 'write_file',
  description: `Writes a whole file; folders are made as needed. Use it for new files and for rewriting one that you have read; to change a part use replace_in_file, to go on with a long one append_file. Files for the person belong below ${AREA_PATHS.outputs}; present_files sends them.`,
  input: z.object({ path: pathInput, content: contentInput.describe('All that is in the file.') }),
  trust: 'local',
  needs: 'files',
  run: async ({ path, content }, context) => {
    const bytes = encoded(content);
    await (await context.workspace()).write(path, bytes);
    return `Wrote ${placeOf(path).path} (${sizeText(bytes.byteLength)}).`;
  },
});

export const appendFile = defineTool({
  name: 'append_file',
  description: 'Adds text to the end of a file, or makes it. Use it to write a long file in several calls.',
  input: z.object({ path: pathInput, content: contentInput.min(1).describe('Added as it is, line ends included.') }),
  trust: 'local',
  needs: 'files',
  run: async ({ path, content }, context) => {
    const workspace = await context.workspace();
    const before = (await exists(workspace, path)) ? await readForEdit(workspace, path) : '';
    const bytes = encoded(before + content);
    await workspace.write(path, bytes);
    return `${placeOf(path).path} now has ${sizeText(bytes.byteLength)}.`;
  },
});

const exists = (workspace: Workspace, path: string): Promise<boolean> =>
  workspace.stat(path).then(
    () => true,
    () => false,
  );
