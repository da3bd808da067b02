import { say } from '../../base/sentences.ts';
import { PERMISSIONS, readPermissions, type Wanted, withGrant } from '../acp/permission.ts';
import { takeWanted } from '../acp/wanted.ts';
import { hasLapsed } from '../clarify/hear.ts';
import { optionIn } from '../clarify/match.ts';
import { asked, QUESTIONS, questionId, readQuestions } from '../clarify/questions.ts';
import { writeQuestion } from '../tools/ask-clarification.ts';
import type { MiddlewareKind, Run } from './port.ts';

const PUT = (agent: string): string =>
  `\n[The person is asked for it. If they allow it, call ${agent} again with the same prompt: it goes on from the files that it has left.]`;
const LATER = '\n[Another question is put to the person first. Ask for this by calling it again later.]';

/**
 * An agent from outside that needs a permission stops, and the question ends the run. Who was asked allows it by
 * their own next message, never the model: it is let through once when the agent asks for the very same again.
 */
export const agentPermission: MiddlewareKind = {
  name: 'agent-permission',
  create: () => ({
    beforeRun: hearAnswer,
    wrapTool: async (run, call, next) => {
      const outcome = await next(call);
      const agent = call.name;
      const wanted = takeWanted(run.request.context, agent);
      if (wanted === undefined) return outcome;
      if (run.question !== null) return { ...outcome, text: outcome.text + LATER };
      put(run, agent, wanted);
      return { ...outcome, text: outcome.text + PUT(agent) };
    },
  }),
};

function put(run: Run, agent: string, { key, what }: Wanted): void {
  const { language, speaker } = run.request.context;
  const turn = run.turnId;
  const options = [say(language, 'agent_permission_allow'), say(language, 'agent_permission_refuse')];
  const text = writeQuestion(say(language, 'agent_permission', { agent: agent.replace(/^agent_/, ''), what }), options);
  const at = run.clock.now();
  const question = { id: questionId(turn, text), turn, text, options, at, whom: speaker.id };
  run.question = question;
  run.keep(QUESTIONS, asked(readQuestions(run.state(QUESTIONS)), question));
  const subject = { agent, key, whom: speaker.id, at, question: question.id };
  run.keep(PERMISSIONS, { ...readPermissions(run.state(PERMISSIONS)), asked: subject });
}

/** By the same rules by which answers to questions are heard, which it precedes: that closes the question. */
function hearAnswer(run: Run): void {
  const permissions = readPermissions(run.state(PERMISSIONS));
  const subject = permissions.asked;
  if (subject === null) return;
  const { open } = readQuestions(run.state(QUESTIONS));
  if (open?.id !== subject.question) {
    run.keep(PERMISSIONS, { ...permissions, asked: null });
    return;
  }
  const answer = run.request.input.find(
    ({ speaker, pressed }) => speaker.id === subject.whom && (pressed === undefined || pressed === open.id),
  );
  // The very turn that has asked is run again, or others have spoken: it is still open.
  if (answer === undefined || open.turn === run.turnId) return;
  const isAllowed = optionIn(answer.text, open.options) === 0 && !hasLapsed(open, answer);
  run.keep(PERMISSIONS, isAllowed ? withGrant(permissions, subject, answer.at) : { ...permissions, asked: null });
}
