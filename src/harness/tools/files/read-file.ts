import { z } from 'zod';
import { AntlerError } from '../../../base/errors.ts';
import { defineTool, type Tool } from '../port.ts';
import { pageOf } from './page.ts';
import type { FileReader } from './reader.ts';
import { type FileSource, openFile } from './source.ts';

const DEFAULT_LINES = 400;
const MAX_LINES = 2_000;

/**
 * Reads what people have sent and what lies in the workspace. The first of `readers` that knows a file's kind makes
 * text of it.
 */
export const readFile = (readers: readonly FileReader[]): Tool =>
  defineTool({
    name: 'read_file',
    description:
      'Reads a file that somebody has sent in this conversation, or one of your workspace: text, Markdown, CSV, JSON, XML, YAML, code and the like, and PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx) and HTML as Markdown. Long files come in pages: go on with `offset`.',
    input: z.object({
      file: z
        .string()
        .min(1)
        .max(1_024)
        .describe(
          'Its name or id as it stands in <files>, or a path such as src/main.py or /mnt/user-data/outputs/a.md.',
        ),
      offset: z.int().min(1).optional().describe('The first line to read; left out: 1.'),
      limit: z.int().min(1).max(MAX_LINES).optional().describe(`Lines to read; left out: ${DEFAULT_LINES}.`),
      raw: z
        .boolean()
        .optional()
        .describe('HTML that was sent as it is written, with its tags; left out: as it reads.'),
    }),
    paged: true,
    trust: 'remote',
    run: async ({ file: wanted, offset = 1, limit = DEFAULT_LINES, raw = false }, context, signal) => {
      const source = await openFile(wanted, context, signal);
      const { shown } = source;
      const asItIs = raw || source.place === 'workspace';
      const usable = readers.filter(({ rendersText }) => !(asItIs && rendersText));
      const text = await firstReading(usable, source, signal);
      const { text: page, from, to, total } = pageOf(text, offset, limit);
      if (text === '') return `${shown} is empty.`;
      if (page === '' && from > total) return `${shown} has ${total} lines; line ${from} is behind its end.`;
      const rest = to < total ? `, go on with offset ${to + 1}` : '';
      return `${shown}, lines ${from} to ${to} of ${total}${rest}:\n${page}`;
    },
  });

async function firstReading(
  readers: readonly FileReader[],
  { file, content }: FileSource,
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
