import { ROLES, type Role } from '../base/roles.ts';
import type { GuardrailsEntry } from '../config/schema/guardrails.ts';
import { guardEndpoint } from '../harness/guardrails/endpoint.ts';
import type { GuardRule, Guardrails } from '../harness/guardrails/port.ts';
import type { RightsByRole } from '../people/rights.ts';

/** The guardrails of the configuration as the harness takes them: what is said of tools, then what each role may use. */
export function guardrailsOf({ rules, provider }: GuardrailsEntry, rights: RightsByRole): Guardrails {
  const all = [...rules, ...ROLES.flatMap((role) => limitsOf(role, rights[role].tools))];
  if (provider === undefined) return { rules: all };
  const { url, token, timeout_seconds: seconds } = provider;
  return { rules: all, provider: guardEndpoint({ url, token, timeoutMs: seconds * 1_000 }) };
}

/** A role that may use these tools may use no other. */
function limitsOf(role: Role, tools: readonly string[]): GuardRule[] {
  if (tools.includes('all')) return [];
  const roles = [role];
  return [
    { effect: 'allow', tools, roles },
    { effect: 'deny', tools: ['*'], roles },
  ];
}
