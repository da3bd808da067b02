import { AntlerError } from '../../../base/errors.ts';

export interface Replaced {
  readonly text: string;
  readonly times: number;
}

/**
 * Puts `after` in the place of `before`, which must occur exactly once unless `all`.
 * @throws AntlerError `bad_input` with what to do.
 */
export function replaceText(text: string, before: string, after: string, all: boolean): Replaced {
  if (before === '') throw new AntlerError('bad_input', 'old_text is empty; to add text use append_file');
  if (before === after) throw new AntlerError('bad_input', 'old_text and new_text are the same');
  const [found, replacement] = asWritten(text, before, after);
  const parts = text.split(found);
  const times = parts.length - 1;
  if (times === 0) throw new AntlerError('bad_input', `old_text is not in the file${hint(text, before)}`);
  if (times > 1 && !all)
    throw new AntlerError(
      'bad_input',
      `old_text occurs ${times} times: give more of what stands around it, or set all to replace every one`,
    );
  return { text: parts.join(replacement), times };
}

/** Models see files with plain line ends, and with `&lt;` where a tag of the prompt could have been meant. */
function asWritten(text: string, before: string, after: string): readonly [string, string] {
  const plain = (part: string): string => part.replaceAll('&lt;', '<');
  const withReturns = (part: string): string => part.replace(/\r?\n/g, '\r\n');
  const forms: readonly ((part: string) => string)[] = [
    (part) => part,
    withReturns,
    plain,
    (part) => withReturns(plain(part)),
  ];
  const form = forms.find((candidate) => text.includes(candidate(before)));
  return form === undefined ? [before, after] : [form(before), form(after)];
}

function hint(text: string, before: string): string {
  const bare = (part: string): string => part.replace(/\s+/g, ' ').trim();
  const looksAlike = bare(before) !== '' && bare(text).includes(bare(before));
  return looksAlike
    ? ': it differs in spaces or line ends; read the file again and copy it exactly'
    : '; read the file again and copy what is to be replaced exactly';
}
