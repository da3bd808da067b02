import { createHash } from 'node:crypto';
import { isAtLeast, isRole } from '../../base/roles.ts';
import { say } from '../../base/sentences.ts';
import { hasLapsed } from '../clarify/hear.ts';
import { optionIn } from '../clarify/match.ts';
import { asked, QUESTIONS, questionId, readQuestions } from '../clarify/questions.ts';
import { APPROVALS, readApprovals, useApproval, withApproval } from '../guardrails/approvals.ts';
import { askersOf } from '../guardrails/asker.ts';
import type { GuardRule, Guardrails } from '../guardrails/port.ts';
import { ruleFor } from '../guardrails/rules.ts';
import type { ToolCall, UserEntry } from '../log.ts';
import { writeQuestion } from '../tools/ask-clarification.ts';
import { callKey } from '../tools/call-key.ts';
import { cutEnd } from '../transcript/text.ts';
import type { MiddlewareKind, Run } from './port.ts';

const OPEN: Guardrails = { rules: [] };
const MAX_SHOWN_CHARS = 400;

const PUT =
  'Not run yet: this has to be allowed first, and who may is being asked. If they allow it, make the very same call again.';
const LATER = 'Not run yet: this has to be allowed, and another question is put first. Make the call again later.';
const NOT_HERE =
  'Error: not run: this has to be allowed by a person, whom you cannot ask. Report that it is left to do.';

/**
 * A tool that admins let nobody use unasked waits for whoever may allow it; the question ends the run. It is allowed by
 * that person's own message or button, never by the model, for this very call and once.
 */
export const approval: MiddlewareKind = {
  name: 'approval',
  create: ({ guardrails = OPEN } = {}) => ({
    beforeRun: hearApprover,
    wrapTool: async (run, call, next) => {
      const rule = askingRule(guardrails, run, call.name);
      if (rule === null) return next(call);
      if (run.request.context.others !== undefined) return { status: 'error', text: NOT_HERE };
      const key = createHash('sha256').update(callKey(call)).digest('base64url');
      const rest = useApproval(readApprovals(run.state(APPROVALS)), key, run.clock.now());
      if (rest !== null) {
        run.keep(APPROVALS, rest);
        return next(call);
      }
      if (run.question !== null) return { status: 'ok', text: LATER };
      put(run, call, key, rule);
      return { status: 'ok', text: PUT };
    },
  }),
};

/** The rule by which somebody for whom the run works has to ask; null: none has to. */
function askingRule({ rules }: Guardrails, run: Run, tool: string): GuardRule | null {
  const askers = askersOf(run.request, run.log.slice(run.turnStart));
  const found = askers.map((asker) => ruleFor(rules, tool, asker)?.rule);
  return found.find((rule) => rule?.effect === 'ask') ?? null;
}

function put(run: Run, call: ToolCall, key: string, { approver }: GuardRule): void {
  const { language, speaker } = run.request.context;
  const turn = run.turnId;
  const shown = cutEnd(call.arguments.replace(/\s+/g, ' '), MAX_SHOWN_CHARS);
  const options = [say(language, 'agent_permission_allow'), say(language, 'agent_permission_refuse')];
  const words =
    approver === undefined
      ? say(language, 'tool_approval', { tool: call.name, what: shown })
      : say(language, 'tool_approval_by', { tool: call.name, what: shown, role: say(language, `role_${approver}`) });
  const text = writeQuestion(words, options);
  // Where somebody else has to allow it, nobody's words are its answer until that person has spoken.
  const whom = approver === undefined ? speaker.id : '';
  const question = { id: questionId(turn, text), turn, text, options, at: run.clock.now(), whom };
  run.question = question;
  run.keep(QUESTIONS, asked(readQuestions(run.state(QUESTIONS)), question));
  run.keep(APPROVALS, { ...readApprovals(run.state(APPROVALS)), asked: { key, question: question.id, approver } });
}

/** Precedes the hearing of answers, which closes the question and tells the model what was answered. */
function hearApprover(run: Run): void {
  const approvals = readApprovals(run.state(APPROVALS));
  const subject = approvals.asked;
  if (subject === null) return;
  const questions = readQuestions(run.state(QUESTIONS));
  const { open } = questions;
  if (open?.id !== subject.question) {
    run.keep(APPROVALS, { ...approvals, asked: null });
    return;
  }
  // The very turn that has asked is run again.
  if (open.turn === run.turnId) return;
  const { roles = {} } = run.request.context;
  const may = ({ speaker }: UserEntry): boolean => {
    const role = roles[speaker.id] ?? 'guest';
    return subject.approver === undefined
      ? speaker.id === open.whom
      : isRole(role) && isRole(subject.approver) && isAtLeast(role, subject.approver);
  };
  const answer = run.request.input.find(
    (entry) => may(entry) && (entry.pressed === open.id || optionIn(entry.text, open.options) !== null),
  );
  if (answer === undefined) return;
  const isAllowed = optionIn(answer.text, open.options) === 0 && !hasLapsed(open, answer);
  run.keep(QUESTIONS, { ...questions, open: { ...open, whom: answer.speaker.id } });
  run.keep(APPROVALS, isAllowed ? withApproval(approvals, subject.key, answer.at) : { ...approvals, asked: null });
}
