import { parseArguments } from '../../transcript/arguments.ts';
import type { MiddlewareKind } from '../port.ts';
import { classify } from './classify.ts';

/**
 * Judges shell commands by their text before they are run: some are refused, some get a remark, all leave a line in the
 * log (without the command, which may hold secrets).
 */
export const sandboxAudit: MiddlewareKind = {
  name: 'sandbox-audit',
  create: () => ({
    wrapTool: async (run, call, next) => {
      if (call.name !== 'shell') return next(call);
      const args = parseArguments(call.arguments);
      const command = args.ok ? args.value.command : undefined;
      if (typeof command !== 'string') return next(call); // the tool says what is wrong with the arguments
      const verdict = classify(command);
      const fields = { verdict: verdict.kind, chars: command.length, speaker: run.request.context.speaker.id };
      if (verdict.kind === 'pass') {
        run.logger.info(fields, 'a shell command');
        return next(call);
      }
      run.logger.warn({ ...fields, rule: verdict.rule }, 'a shell command');
      if (verdict.kind === 'block')
        return { status: 'error', text: `Error: the command was not run: ${verdict.why}. Do it in another way.` };
      const outcome = await next(call);
      return { ...outcome, text: `${outcome.text}\n[remark: ${verdict.why}]` };
    },
  }),
};
