import { createHash } from 'node:crypto';
import { asAntlerError } from '../../base/errors.ts';
import { synopsisOf } from '../synopsis/synopsis.ts';
import type { MiddlewareKind, Run } from './port.ts';

/** About 3,000 tokens of English; a longer result goes into a file. */
const MAX_INLINE_CHARS = 12_000;
/** What all results of a run may take; then only short ones stand in the conversation. */
const RUN_CHARS = 160_000;
const MAX_INLINE_CHARS_THEN = 2_500;
/** Where they lie, in the owner's workspace. */
const FOLDER = '/mnt/user-data/workspace/.results';

/**
 * Large results go into a file of the workspace, and the model gets what they are, how they begin and end, and where to
 * read on. Where there is no place for files, or nothing that reads them, they are cut like any other.
 */
export const toolOutput: MiddlewareKind = {
  name: 'tool-output',
  create: () => {
    let paged: ReadonlySet<string> = new Set();
    let canRead = false;
    let spent = 0;
    return {
      beforeModel: (_run, draft) => {
        paged = new Set(draft.tools.filter((tool) => tool.paged === true).map((tool) => tool.name));
        canRead = paged.size > 0;
        return draft;
      },
      wrapTool: async (run, call, next) => {
        const outcome = await next(call);
        const name = call.name;
        const limit = spent > RUN_CHARS ? MAX_INLINE_CHARS_THEN : MAX_INLINE_CHARS;
        const fits = outcome.text.length <= limit || paged.has(name) || !canRead;
        const text = fits ? outcome.text : ((await putAside(run, name, outcome.text)) ?? outcome.text);
        spent += text.length;
        return { ...outcome, text };
      },
    };
  },
};

/** Writes a result into a file and tells of it; null where that cannot be done. */
async function putAside(run: Run, tool: string, text: string): Promise<string | null> {
  const { extension, facts, head, tail } = synopsisOf(text);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = `${FOLDER}/${tool.replace(/[^\w-]/g, '_').slice(0, 64)}-${digest}.${extension}`;
  try {
    const workspace = await run.workspace();
    await workspace.write(path, new TextEncoder().encode(text));
  } catch (thrown) {
    if (run.request.signal.aborted) throw thrown;
    const { code } = asAntlerError(thrown);
    if (code !== 'unsupported') run.logger.warn({ tool: tool.slice(0, 64), code }, 'a large result was not put aside');
    return null;
  }
  return [
    `This result has ${text.length} characters and was put aside. Read on in ${path}, in pages or by searching it.`,
    facts,
    `It begins:\n${head}`,
    `It ends:\n${tail}`,
  ].join('\n\n');
}
