export type ParsedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a tool call's arguments as the model wrote them. Nothing at all counts as `{}`, since models leave the
 * arguments of a tool without parameters out; anything else must be a JSON object.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'the arguments are not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, problem: 'the arguments are not a JSON object' };
  return { ok: true, value: value as Readonly<Record<string, unknown>> };
}

/** The arguments as they may be sent back to a model: endpoints parse the calls of the whole history. */
export function replayableArguments(text: string): string {
  const parsed = parseArguments(text);
  if (!parsed.ok || text.trim() === '') return '{}';
  // Escaped lone surrogates ("\ud800") survive in the text and break endpoints that decode strictly.
  return JSON.stringify(parsed.value).includes('\\ud') ? JSON.stringify(wellFormed(parsed.value)) : text;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
  return value;
}
