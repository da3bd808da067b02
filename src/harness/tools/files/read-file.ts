import { z } from 'zod';
import { AntlerError } from '../../../base/errors.ts';
import type { FileProblem, LoggedFile } from '../../log.ts';
import { defineTool, type Tool } from '../port.ts';
import { findFile } from './find.ts';
import { pageOf } from './page.ts';
import type { FileReader } from './reader.ts';

const DEFAULT_LINES = 400;
const MAX_LINES = 2_000;

/** Reads what people have sent. The first of `readers` that knows a file's kind makes text of it. */
export const readFile = (readers: readonly FileReader[]): Tool =>
  defineTool({
    name: 'read_file',
    description:
      'Reads a file that somebody has sent in this conversation: text, Markdown, CSV, JSON, XML, YAML, code and the like. Long files come in pages: go on with `offset`.',
    input: z.object({
      file: z.string().min(1).max(300).describe('Its name or id as it stands in <files>.'),
      offset: z.int().min(1).optional().describe('The first line to read; left out: 1.'),
      limit: z.int().min(1).max(MAX_LINES).optional().describe(`Lines to read; left out: ${DEFAULT_LINES}.`),
    }),
    trust: 'remote',
    run: async ({ file: wanted, offset = 1, limit = DEFAULT_LINES }, { log, files }, signal) => {
      const file = findFile(log, wanted);
      const content = await files.read(file.id, signal).catch((thrown: unknown) => {
        throw problemError(file) ?? thrown;
      });
      const text = await firstReading(readers, file, content, signal);
      const { text: page, from, to, total } = pageOf(text, offset, limit);
      if (text === '') return `${file.name} is empty.`;
      if (page === '' && from > total) return `${file.name} has ${total} lines; line ${from} is behind its end.`;
      const rest = to < total ? `, go on with offset ${to + 1}` : '';
      return `${file.name}, lines ${from} to ${to} of ${total}${rest}:\n${page}`;
    },
  });

async function firstReading(
  readers: readonly FileReader[],
  file: LoggedFile,
  content: Uint8Array,
  signal: AbortSignal,
): Promise<string> {
  for (const reader of readers) {
    const text = await reader.read(file, content, signal);
    if (text !== null) return text;
  }
  throw new AntlerError(
    'unsupported',
    `${file.name} (${file.mime}) is no text, and there is nothing here that can read this kind of file. Tell the person so`,
  );
}

const PROBLEMS: Readonly<Record<FileProblem, string>> = {
  too_large: 'is larger than may be fetched from the platform',
  gone: 'is no longer on the platform',
  refused: 'is not handed over by the platform',
  late: 'has not come from the platform yet',
};

/** What is known of why a file is not there says more than that it is not there. */
function problemError({ name, problem }: LoggedFile): AntlerError | null {
  return problem === undefined ? null : new AntlerError('unsupported', `${name} ${PROBLEMS[problem]}`);
}
