import { hear } from '../clarify/hear.ts';
import { asked, QUESTIONS, type Question, questionId, readQuestions } from '../clarify/questions.ts';
import type { UserEntry } from '../log.ts';
import { ASK_CLARIFICATION, optionsOf } from '../tools/ask-clarification.ts';
import { asData, framed } from '../transcript/frame.ts';
import type { MiddlewareKind } from './port.ts';

const ASKED = 'The question was put to the person. The answer comes with their next message.';
const ONE_AT_A_TIME = 'Error: one question at a time; another one was put to the person. Ask this one later.';

/**
 * A question to the person ends the run; the answer is the next turn, where the model is told which option a number or
 * a pressed button stands for.
 */
export const clarification: MiddlewareKind = {
  name: 'clarification',
  create: () => {
    let notes: ReadonlyMap<string, string> = new Map();
    return {
      beforeRun: (run) => {
        const before = readQuestions(run.state(QUESTIONS));
        // This very turn has asked, and was cut off before the person saw it.
        if (before.open?.turn === run.turnId) run.question = before.open;
        const now = run.question === null ? hear(before, run.request.input) : before;
        if (now !== before) run.keep(QUESTIONS, now);
        notes = new Map(now.heard.map(({ entry, note }) => [entry, note]));
      },
      beforeModel: (_run, draft) => ({ ...draft, render: (entry) => withNote(draft.render(entry), entry, notes) }),
      wrapTool: async (run, call, next) => {
        if (call.name !== ASK_CLARIFICATION) return next(call);
        const outcome = await next(call);
        if (outcome.status === 'error') return outcome;
        if (run.question !== null) return { status: 'error', text: ONE_AT_A_TIME };
        const turn = run.turnId;
        const question: Question = {
          id: questionId(turn, outcome.text),
          turn,
          text: outcome.text,
          options: optionsOf(call.arguments),
          at: run.clock.now(),
          whom: run.request.context.speaker.id,
        };
        run.question = question;
        run.keep(QUESTIONS, asked(readQuestions(run.state(QUESTIONS)), question));
        return { status: 'ok', text: ASKED };
      },
    };
  },
};

function withNote(rendered: string, { id }: UserEntry, notes: ReadonlyMap<string, string>): string {
  const note = notes.get(id);
  return note === undefined ? rendered : `${rendered}\n${framed('note', asData(note))}`;
}
