import { AntlerError } from '../../base/errors.ts';
import { cutMiddle } from '../transcript/text.ts';
import type { MiddlewareKind, ToolOutcome } from './port.ts';

const MAX_DETAIL_CHARS = 500;

/** Turns whatever goes wrong in a tool into a result that tells the model what to do next. */
export const toolErrors: MiddlewareKind = {
  name: 'tool-errors',
  create: () => ({
    wrapTool: async (run, call, next): Promise<ToolOutcome> => {
      try {
        return await next(call);
      } catch (thrown) {
        if (run.request.signal.aborted) throw thrown;
        run.logger.warn({ tool: call.name.slice(0, 64), code: codeOf(thrown) }, 'a tool call failed');
        return { status: 'error', text: `Error: ${explain(call.name, thrown)}` };
      }
    },
  }),
};

function codeOf(thrown: unknown): string {
  if (thrown instanceof AntlerError) return thrown.code;
  return thrown instanceof Error ? thrown.name : typeof thrown;
}

function explain(name: string, thrown: unknown): string {
  const detail = cutMiddle(thrown instanceof Error ? thrown.message : String(thrown), MAX_DETAIL_CHARS);
  if (!(thrown instanceof AntlerError))
    return `${name} failed (${codeOf(thrown)}: ${detail}). Try another way, or go on without it.`;
  switch (thrown.code) {
    case 'not_found':
      return `${detail} Use one of those, or answer without a tool.`;
    case 'bad_input':
      return `${name} was not run, because its arguments do not fit: ${detail}. Correct them and call it again.`;
    case 'timeout':
      return `${detail.replace(/[^.!?]$/, '$&.')} It was stopped and may have taken effect in part. Do not simply repeat it: ask for less, or try another way.`;
    case 'forbidden':
    case 'unauthorized':
      return `${name} is not allowed here: ${detail}. Do not try it again; tell the person.`;
    case 'rate_limited':
    case 'unavailable':
      return `${name} is not available at the moment: ${detail}. Try once more later, or go on without it.`;
    default:
      return `${name} failed: ${detail}. Try another way, or go on without it.`;
  }
}
