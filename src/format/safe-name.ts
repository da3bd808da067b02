const NAME_MAX = 64;
/** Control and format characters, among them line breaks, direction overrides and zero-width marks; lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * A display name that cannot pose as anything else in a prompt or a log: one line, no control or direction-override
 * characters, at most 64 characters. The first candidate that has anything to show is taken.
 */
export function safeName(...candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const name = (candidate ?? '').replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
    if (name !== '') return [...name].slice(0, NAME_MAX).join('').trim();
  }
  return '?';
}
