import { agentPermission } from './agent-permission.ts';
import { approval } from './approval.ts';
import { type Chain, defineChain, type OrderRule } from './chain.ts';
import { clarification } from './clarification.ts';
import { deferredTools } from './deferred-tools/index.ts';
import { durableContext } from './durable-context.ts';
import { dynamicContext } from './dynamic-context.ts';
import { fallbackNotice } from './fallback-notice.ts';
import { finishReason } from './finish-reason.ts';
import { guardrail } from './guardrail.ts';
import { inputFraming } from './input-framing.ts';
import { loopDetection } from './loop-detection.ts';
import { memory } from './memory.ts';
import type { MiddlewareKind, MiddlewareParts } from './port.ts';
import { readBeforeWrite } from './read-before-write.ts';
import { runLog } from './run-log.ts';
import { sandboxAudit } from './sandbox-audit/index.ts';
import { secretValues } from './secret-values.ts';
import { skillActivation } from './skill-activation.ts';
import { skillTools } from './skill-tools.ts';
import { stepLimit } from './step-limit.ts';
import { summarization } from './summarization.ts';
import { terminalAnswer } from './terminal-answer.ts';
import { title } from './title.ts';
import { todo } from './todo.ts';
import { tokenBudget } from './token-budget.ts';
import { toolErrors } from './tool-errors.ts';
import { toolFrequency } from './tool-frequency.ts';
import { toolOutput } from './tool-output.ts';
import { toolProgress } from './tool-progress.ts';
import { toolResults } from './tool-results.ts';
import { usage } from './usage.ts';

/** Why the order is as it is. Checked when the chain is built. */
export const ORDER_RULES: readonly OrderRule[] = [
  { outer: 'finish-reason', inner: 'loop-detection', why: 'calls of a cut answer are never counted' },
  { outer: 'finish-reason', inner: 'step-limit', why: 'a refused closing answer is a refusal' },
  { outer: 'finish-reason', inner: 'terminal-answer', why: 'a refusal without text is no empty answer' },
  { outer: 'step-limit', inner: 'token-budget', why: 'a closing answer is the end, whatever it cost' },
  { outer: 'finish-reason', inner: 'token-budget', why: 'calls of a cut answer are refused for that reason' },
  { outer: 'step-limit', inner: 'loop-detection', why: 'calls in a closing answer are dropped, not counted' },
  { outer: 'step-limit', inner: 'terminal-answer', why: 'an empty closing answer has a sentence of its own' },
  { outer: 'step-limit', inner: 'todo', why: 'a closing answer is the end, whatever is open' },
  { outer: 'finish-reason', inner: 'todo', why: 'a refusal is no end of work' },
  { outer: 'todo', inner: 'terminal-answer', why: 'a reminder may be answered with nothing' },
  { outer: 'loop-detection', inner: 'guardrail', why: 'a denied call counts as a failed one' },
  { outer: 'guardrail', inner: 'clarification', why: 'a denied tool asks nothing' },
  { outer: 'dynamic-context', inner: 'durable-context', why: 'it stands behind the context, which is set' },
  { outer: 'dynamic-context', inner: 'memory', why: 'it stands behind the context, which is set' },
  { outer: 'memory', inner: 'durable-context', why: 'what belongs to this conversation stands nearer to its messages' },
  { outer: 'summarization', inner: 'durable-context', why: 'what was summed up just now is told of' },
  { outer: 'finish-reason', inner: 'tool-frequency', why: 'calls of a cut answer are never counted' },
  { outer: 'step-limit', inner: 'tool-frequency', why: 'calls in a closing answer are dropped, not counted' },
  { outer: 'loop-detection', inner: 'tool-progress', why: 'a call that is refused counts as a failed one' },
  { outer: 'tool-progress', inner: 'tool-results', why: 'advice stands behind the frame of a result, not in it' },
  { outer: 'tool-results', inner: 'tool-output', why: 'what is told of a large result is escaped and framed like it' },
  { outer: 'tool-output', inner: 'tool-errors', why: 'errors are bounded by then' },
  { outer: 'tool-results', inner: 'tool-errors', why: 'the text of errors is bounded and escaped as well' },
  { outer: 'input-framing', inner: 'clarification', why: 'what an answer means stands behind its message' },
  { outer: 'tool-errors', inner: 'clarification', why: 'a malformed question is an error, not a question' },
  { outer: 'guardrail', inner: 'sandbox-audit', why: 'what is denied anyway leaves one line in the log' },
  {
    outer: 'tool-results',
    inner: 'sandbox-audit',
    why: 'a remark stands with the result, whose frame is closed behind it',
  },
  { outer: 'guardrail', inner: 'approval', why: 'what is denied anyway is asked of nobody' },
  { outer: 'approval', inner: 'tool-results', why: 'what was not run has no result of strangers to frame' },
  { outer: 'approval', inner: 'clarification', why: 'an answer closes its question, which tells what it allows' },
  { outer: 'tool-errors', inner: 'read-before-write', why: 'only what did not fail counts as read or written' },
  { outer: 'dynamic-context', inner: 'skill-activation', why: 'skills in use stand behind the context, which is set' },
  { outer: 'summarization', inner: 'skill-activation', why: 'what was summed up just now is shown again' },
  { outer: 'skill-activation', inner: 'skill-tools', why: 'a skill that was called for limits this very step' },
  { outer: 'loop-detection', inner: 'skill-tools', why: 'a refused call counts as a failed one' },
  { outer: 'skill-tools', inner: 'clarification', why: 'a tool that is not allowed asks nothing' },
  { outer: 'tool-output', inner: 'secret-values', why: 'no secret is kept in a file, and none is cut in two' },
  { outer: 'secret-values', inner: 'tool-errors', why: 'a secret is taken out of the text of errors as well' },
  {
    outer: 'agent-permission',
    inner: 'clarification',
    why: 'an answer closes its question, which tells what it allows',
  },
  {
    outer: 'tool-results',
    inner: 'agent-permission',
    why: 'a remark stands with the result, whose frame is closed behind it',
  },
  { outer: 'step-limit', inner: 'deferred-tools', why: 'a closing answer has no tools, none to search with either' },
  { outer: 'guardrail', inner: 'deferred-tools', why: 'a forbidden tool is not even named' },
  { outer: 'skill-tools', inner: 'deferred-tools', why: 'a tool that no skill allows is not even named' },
  { outer: 'tool-results', inner: 'deferred-tools', why: 'what strangers say of their tools is bounded and escaped' },
  { outer: 'tool-errors', inner: 'deferred-tools', why: 'a search that asks for nothing is an error' },
  { outer: 'loop-detection', inner: 'tool-errors', why: 'a thrown error counts as a failed call' },
];

export const DEFAULT_ORDER: readonly MiddlewareKind[] = [
  runLog,
  title,
  summarization,
  dynamicContext,
  memory,
  durableContext,
  skillActivation,
  inputFraming,
  usage,
  fallbackNotice,
  finishReason,
  stepLimit,
  tokenBudget,
  loopDetection,
  toolFrequency,
  todo,
  terminalAnswer,
  guardrail,
  approval,
  skillTools,
  toolProgress,
  toolResults,
  toolOutput,
  secretValues,
  toolErrors,
  deferredTools,
  sandboxAudit,
  readBeforeWrite,
  agentPermission,
  clarification,
];

/** Makes the chain of a run. */
export const defaultChain: (parts?: MiddlewareParts) => Chain = defineChain(DEFAULT_ORDER, ORDER_RULES);
