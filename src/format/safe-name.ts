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

const FILE_NAME_MAX = 120;
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * A file's name that is nothing but a name: no folders, no characters that a shell or a file system would take for
 * something else, no leading dot; one that is too long keeps its extension.
 */
export function safeFileName(name: string, otherwise: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replace(UNSAFE, ' ')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (clean === '') return otherwise;
  const extension = EXTENSION.exec(clean)?.[0] ?? '';
  const stem = [...clean.slice(0, clean.length - extension.length)];
  return stem.slice(0, FILE_NAME_MAX - extension.length).join('') + extension;
}
