import type { FileProblem } from './log.ts';

/** Why a file that was sent cannot be read, as it stands behind its name. */
export const FILE_PROBLEMS: Readonly<Record<FileProblem, string>> = {
  too_large: 'is larger than may be fetched from the platform',
  gone: 'is no longer on the platform',
  refused: 'is not handed over by the platform',
  late: 'has not come from the platform yet; it may still come',
};
