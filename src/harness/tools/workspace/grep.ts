import { z } from 'zod';
import { placeOf, USER_DATA } from '../../sandbox/paths.ts';
import type { Workspace } from '../../sandbox/port.ts';
import { decodeText } from '../files/decode.ts';
import { defineTool } from '../port.ts';
import { globMatcher } from './glob-pattern.ts';
import { interesting } from './look.ts';
import { openWithUploads } from './open.ts';
import { regexSearch } from './regex-search.ts';
import { type SearchedFile, searchLines } from './search.ts';

const MAX_HITS = 100;
const MAX_FILE_BYTES = 1_000_000;
const MAX_TOTAL_BYTES = 30_000_000;

export const grep = defineTool({
  name: 'grep',
  description: 'Finds lines in text files. Says file, line number and line.',
  input: z.object({
    pattern: z.string().min(1).max(500).describe('What to look for.'),
    path: z.string().min(1).max(1_024).optional().describe(`A folder or a file; left out: ${USER_DATA}.`),
    glob: z.string().min(1).optional().describe('Only in files with such names, e.g. *.py.'),
    regex: z.boolean().optional().describe('The pattern is a JavaScript regular expression; left out: plain text.'),
    ignore_case: z.boolean().optional(),
  }),
  trust: 'remote',
  needs: 'files',
  run: async ({ pattern, path = USER_DATA, glob, regex = false, ignore_case = false }, context, signal) => {
    const root = placeOf(path).path;
    const workspace = await openWithUploads(context, signal);
    const { files, skipped } = await searched(workspace, root, glob, signal);
    const hits = regex
      ? await regexSearch({ pattern, flags: ignore_case ? 'iu' : 'u', files, limit: MAX_HITS + 1 }, signal)
      : searchLines(files, containing(pattern, ignore_case), MAX_HITS + 1);
    const note = skipped > 0 ? `\n(${skipped} files that are too large or no text were not searched.)` : '';
    if (hits.length === 0) return `No line of ${files.length} files fits.${note}`;
    const lines = hits.slice(0, MAX_HITS).map((hit) => `${hit.path}:${hit.line}: ${hit.text}`);
    const more = hits.length > MAX_HITS ? '\n… and more: look for something rarer, or in one folder.' : '';
    return `${lines.join('\n')}${more}${note}`;
  },
});

function containing(pattern: string, ignoreCase: boolean): (line: string) => boolean {
  if (!ignoreCase) return (line) => line.includes(pattern);
  const wanted = pattern.toLowerCase();
  return (line) => line.toLowerCase().includes(wanted);
}

async function searched(
  workspace: Workspace,
  root: string,
  glob: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly files: readonly SearchedFile[]; readonly skipped: number }> {
  const entry = await workspace.stat(root);
  const fits = glob === undefined ? () => true : globMatcher(glob);
  const candidates =
    entry.kind === 'file'
      ? [entry]
      : (await interesting(workspace, root)).filter(({ kind, from }) => kind === 'file' && fits(from));
  const files: SearchedFile[] = [];
  let skipped = 0;
  let total = 0;
  for (const { path, bytes } of candidates) {
    signal.throwIfAborted();
    const text = total + bytes > MAX_TOTAL_BYTES ? null : await textOf(workspace, path);
    if (text === null) skipped++;
    else {
      files.push({ path, text });
      total += bytes;
    }
  }
  return { files, skipped };
}

/** Null for what is too large, no text, or gone. */
const textOf = (workspace: Workspace, path: string): Promise<string | null> =>
  workspace.read(path, MAX_FILE_BYTES).then(decodeText, () => null);
