import { AntlerError } from '../../base/errors.ts';

/** What is wrong with documents, as it stands behind a file's name, and what to do about it. */
export const problems = {
  encrypted: () => new AntlerError('unsupported', 'is protected by a password; ask for a copy without one'),
  damaged: (cause?: unknown) =>
    new AntlerError('unsupported', 'is damaged, or not what its name says; ask for another copy', { cause }),
  oldOffice: () =>
    new AntlerError('unsupported', 'is in the old format of Office; ask for a copy as .docx, .xlsx, .pptx or PDF'),
  otherArchive: () =>
    new AntlerError(
      'unsupported',
      'is an archive, not a document of Word, Excel or PowerPoint; ask for the files in it',
    ),
  bomb: () => new AntlerError('too_large', 'unpacks to far more than a document does, and is not opened'),
  tooLarge: () => new AntlerError('too_large', 'is too large to be read; ask for the part that matters'),
  tooDeep: () => new AntlerError('unsupported', 'is nested too deeply to be read'),
  memory: () => new AntlerError('too_large', 'takes more memory than a document may; ask for a smaller one'),
  slow: (seconds: number) => new AntlerError('timeout', `could not be read within ${seconds} s.`),
  entities: () => new AntlerError('unsupported', 'defines XML entities, which no document does in good faith'),
  noText: () =>
    new AntlerError(
      'unsupported',
      'holds no text that can be read here: its pages are pictures (a scan), or its fonts do not tell their characters',
    ),
} as const;
