import type { GuardrailsEntry } from '../config/schema/guardrails.ts';
import { guardEndpoint } from '../harness/guardrails/endpoint.ts';
import type { Guardrails } from '../harness/guardrails/port.ts';

/** The guardrails of the configuration as the harness takes them. */
export function guardrailsOf({ rules, provider }: GuardrailsEntry): Guardrails {
  if (provider === undefined) return { rules };
  const { url, token, timeout_seconds: seconds } = provider;
  return { rules, provider: guardEndpoint({ url, token, timeoutMs: seconds * 1_000 }) };
}
