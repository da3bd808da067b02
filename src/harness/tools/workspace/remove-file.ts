import { z } from 'zod';
import { placeOf } from '../../sandbox/paths.ts';
import { defineTool } from '../port.ts';
import { pathInput } from './write-file.ts';

/** Where there is no shell, the only way to make room when the space for files is full. */
export const removeFile = defineTool({
  name: 'remove_file',
  description: 'Removes a file of yours, or a folder with all that is in it, for good: to make room, or when asked to.',
  input: z.object({ path: pathInput }),
  trust: 'local',
  needs: 'files',
  run: async ({ path }, context) => {
    await (await context.workspace()).remove(path);
    return `Removed ${placeOf(path).path}.`;
  },
});
