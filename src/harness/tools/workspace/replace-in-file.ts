import { z } from 'zod';
import { placeOf } from '../../sandbox/paths.ts';
import { defineTool } from '../port.ts';
import { replaceText } from './replace.ts';
import { encoded, readForEdit } from './text.ts';
import { pathInput } from './write-file.ts';

export const replaceInFile = defineTool({
  name: 'replace_in_file',
  description: 'Changes a part of a text file that you have read: puts new text in the place of old text.',
  input: z.object({
    path: pathInput,
    old_text: z.string().min(1).describe('Exactly as it stands in the file, with enough around it to be unique.'),
    new_text: z.string().describe('What stands there afterwards; empty removes it.'),
    all: z.boolean().optional().describe('Replace every occurrence; left out: there must be exactly one.'),
  }),
  trust: 'local',
  needs: 'files',
  run: async ({ path, old_text, new_text, all = false }, context) => {
    const workspace = await context.workspace();
    const { text, times } = replaceText(await readForEdit(workspace, path), old_text, new_text, all);
    await workspace.write(path, encoded(text));
    return `Replaced ${times === 1 ? 'it once' : `it ${times} times`} in ${placeOf(path).path}.`;
  },
});
