import { matches } from '../../base/pattern.ts';
import type { Asker, GuardRule } from './port.ts';

/** What the rules say of one tool; `rule`: the position of the one that decided, null when none fits. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: number | null;
}

/** The first rule that fits decides; what has to be asked for is allowed so far. */
export function decide(rules: readonly GuardRule[], tool: string, asker: Asker): Decision {
  const found = ruleFor(rules, tool, asker);
  return found === null
    ? { allowed: true, rule: null }
    : { allowed: found.rule.effect !== 'deny', rule: found.position };
}

/** The first rule that fits; null: none does. */
export function ruleFor(
  rules: readonly GuardRule[],
  tool: string,
  asker: Asker,
): { readonly rule: GuardRule; readonly position: number } | null {
  const position = rules.findIndex((candidate) => fits(candidate, tool, asker));
  const rule = rules[position];
  return rule === undefined ? null : { rule, position };
}

function fits(rule: GuardRule, tool: string, asker: Asker): boolean {
  const { users, roles, chats, assistants } = rule;
  const isOneOf = (patterns: readonly string[] | undefined, value: string): boolean =>
    patterns === undefined || patterns.some((pattern) => matches(pattern, value));
  return (
    isOneOf(rule.tools, tool) &&
    isOneOf(users, asker.user) &&
    isOneOf(roles, asker.role) &&
    isOneOf(chats, asker.chat) &&
    isOneOf(assistants, asker.assistant)
  );
}
