import type { Closing, MiddlewareKind, Verdict } from './port.ts';

const CLOSING_NOTES = {
  step_limit:
    'You have used all the steps you had for this. Tools are not available any more. Answer now with what you have: what you found, what is missing, and how the person could go on.',
  loop: 'You keep making the same calls without getting further. Tools are not available any more. Answer now with what you have, and say what did not work.',
  token_budget:
    'You have used all the tokens you had for this. Tools are not available any more. Answer now with what you have, briefly, and say what is missing.',
} as const satisfies Record<Closing, string>;

/**
 * A run takes so many model steps with tools; then, and when another middleware closes it, the model gets one last
 * request without tools, to make an answer of what it has.
 */
export const stepLimit: MiddlewareKind = {
  name: 'step-limit',
  create: () => ({
    beforeModel: (run, draft) => {
      if (run.step > Math.max(1, run.request.assistant.maxSteps)) run.closing ??= 'step_limit';
      if (run.closing === null) return draft;
      return { ...draft, tools: [], notes: [...draft.notes, CLOSING_NOTES[run.closing]] };
    },
    afterModel: (run, reply): Verdict => {
      if (run.closing === null) return { kind: 'pass', reply };
      // Some models call tools that they were not given.
      const closing = { ...reply, toolCalls: [] };
      if (closing.text.trim() === '')
        run.emit({ type: 'notice', sentence: 'step_limit', values: { steps: run.step - 1 } });
      return { kind: 'end', reply: closing, result: { status: 'step_limit', text: run.answer.shown } };
    },
  }),
};
