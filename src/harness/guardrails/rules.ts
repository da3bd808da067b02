import { matches } from '../../base/pattern.ts';
import type { Asker, GuardRule } from './port.ts';

/** What the rules say of one tool; `rule`: the position of the one that decided, null when none fits. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: number | null;
}

/** The first rule that fits decides. */
export function decide(rules: readonly GuardRule[], tool: string, asker: Asker): Decision {
  const rule = rules.findIndex((candidate) => fits(candidate, tool, asker));
  return rule === -1 ? { allowed: true, rule: null } : { allowed: rules[rule]?.effect === 'allow', rule };
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
