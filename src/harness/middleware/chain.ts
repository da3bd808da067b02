import type { ToolCall } from '../log.ts';
import type { ModelReply } from '../model/port.ts';
import type { RunResult } from '../port.ts';
import type { Draft, Middleware, MiddlewareKind, MiddlewareParts, Run, ToolOutcome, Verdict } from './port.ts';

/** The middlewares of one run, as one. */
export interface Chain {
  beforeRun(run: Run): Promise<void>;
  beforeModel(run: Run, draft: Draft): Promise<Draft>;
  model(run: Run, draft: Draft, call: (draft: Draft) => Promise<ModelReply>): Promise<ModelReply>;
  afterModel(run: Run, reply: ModelReply): Promise<Verdict>;
  tool(run: Run, call: ToolCall, execute: (call: ToolCall) => Promise<ToolOutcome>): Promise<ToolOutcome>;
  afterRun(run: Run, result: RunResult): Promise<RunResult>;
}

/** `outer` comes before `inner` in the list: earlier in each stage, further out in the wrapping ones. */
export interface OrderRule {
  readonly outer: string;
  readonly inner: string;
  readonly why: string;
}

/**
 * Checks an order of middlewares and returns what makes a chain of it for each run.
 * @throws Error that names the rule which the order breaks: a fault in the code, found at start.
 */
export function defineChain(
  kinds: readonly MiddlewareKind[],
  rules: readonly OrderRule[],
): (parts?: MiddlewareParts) => Chain {
  const names = kinds.map((kind) => kind.name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index) throw new Error(`middleware ${name} is listed twice`);
  for (const { outer, inner, why } of rules) {
    const [a, b] = [names.indexOf(outer), names.indexOf(inner)];
    if (a !== -1 && b !== -1 && a > b) throw new Error(`middleware ${outer} must come before ${inner}: ${why}`);
  }
  return (parts = {}) => compose(kinds.map((kind) => kind.create(parts)));
}

function compose(middlewares: readonly Middleware[]): Chain {
  return {
    beforeRun: async (run) => {
      for (const middleware of middlewares) await middleware.beforeRun?.(run);
    },
    beforeModel: async (run, draft) => {
      let current = draft;
      for (const middleware of middlewares) current = (await middleware.beforeModel?.(run, current)) ?? current;
      return current;
    },
    model: (run, draft, call) =>
      middlewares.reduceRight(
        (next, middleware) => (current: Draft) => middleware.wrapModel?.(run, current, next) ?? next(current),
        call,
      )(draft),
    afterModel: async (run, reply) => {
      let verdict: Verdict = { kind: 'pass', reply };
      for (const middleware of middlewares) {
        if (verdict.kind !== 'pass') break;
        verdict = (await middleware.afterModel?.(run, verdict.reply)) ?? verdict;
      }
      return verdict;
    },
    tool: (run, call, execute) =>
      middlewares.reduceRight(
        (next, middleware) => (current: ToolCall) => middleware.wrapTool?.(run, current, next) ?? next(current),
        execute,
      )(call),
    afterRun: async (run, result) => {
      let current = result;
      for (const middleware of middlewares) current = (await middleware.afterRun?.(run, current)) ?? current;
      return current;
    },
  };
}
