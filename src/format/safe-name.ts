const NAME_MAX = 64;
/** Control and format characters, among them line breaks, direction overrides and zero-width marks; lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * A person's name that cannot pose as anything else in a prompt or a log: one line, no control or direction-override
 * characters, at most 64 characters. The first candidate that has anything to show is taken; empty when none has, since
 * an id is no name, and nobody wants to be called by one.
 */
export function personName(...candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const name = (candidate ?? '').replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
    if (name !== '') return [...name].slice(0, NAME_MAX).join('').trim();
  }
  return '';
}

/** As {@link personName}, for what has to be called something. */
export const safeName = (...candidates: readonly (string | undefined)[]): string => personName(...candidates) || '?';

const FILE_NAME_MAX = 120;
/** In UTF-8. File systems take 255, and some platforms no more than that either. */
const FILE_NAME_MAX_BYTES = 240;
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
  const stem = [...clean.slice(0, clean.length - extension.length)].slice(0, FILE_NAME_MAX - extension.length);
  while (Buffer.byteLength(stem.join('') + extension) > FILE_NAME_MAX_BYTES) stem.pop();
  return stem.join('') + extension;
}
