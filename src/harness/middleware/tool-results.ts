import { asData, framed } from '../transcript/frame.ts';
import { cutMiddle } from '../transcript/text.ts';
import type { MiddlewareKind } from './port.ts';

/** About 6,000 tokens of English. */
const MAX_RESULT_CHARS = 24_000;

/**
 * Makes results fit to be read by the model: bounded, escaped (cut before, since escaping only grows them), and framed
 * as strangers' words where the tool brings such.
 */
export const toolResults: MiddlewareKind = {
  name: 'tool-results',
  create: () => {
    let remote: ReadonlySet<string> = new Set();
    return {
      beforeModel: (_run, draft) => {
        remote = new Set(draft.tools.filter((tool) => tool.trust === 'remote').map((tool) => tool.name));
        return draft;
      },
      wrapTool: async (_run, call, next) => {
        const { status, text } = await next(call);
        const safe = asData(cutMiddle(text, MAX_RESULT_CHARS));
        return { status, text: remote.has(call.name) ? framed('tool_result', safe, { tool: call.name }) : safe };
      },
    };
  },
};
