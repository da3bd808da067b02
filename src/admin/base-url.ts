import { AntlerError } from '../base/errors.ts';

/**
 * The address of an OpenAI-compatible endpoint as people paste it, in the form that clients expect: no slash at the
 * end, no query, and without the path of a single call. Throws `bad_input` with a sentence for the owner.
 */
export function normalizeBaseUrl(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AntlerError('bad_input', 'The base URL must be an http or https address, e.g. https://api.openai.com/v1');
  if (url.username !== '' || url.password !== '')
    throw new AntlerError('bad_input', 'Put the key into its own field, not into the base URL.');
  const path = url.pathname.replace(/\/(chat\/completions|completions|responses|models)\/?$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

/** Most endpoints live under a version; null when this address names one already. */
export function versionHint(baseUrl: string): string | null {
  return /\/v\d+\w*(\/|$)/.test(new URL(baseUrl).pathname) ? null : `${baseUrl}/v1`;
}
