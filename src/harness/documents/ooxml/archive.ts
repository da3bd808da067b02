import type { UnzipFileInfo } from 'fflate';
import { unzip, type ZipProblems, zipEntries } from '../../zip.ts';
import { MAX_ENTRIES, MAX_RATIO, MAX_UNPACKED_BYTES, RATIO_FROM_BYTES } from '../limits.ts';
import { problems } from '../problems.ts';

/** The parts of an Office document that were asked for. */
export interface Archive {
  readonly names: readonly string[];
  bytes(name: string): Uint8Array | undefined;
}

/** What an archive says that it holds; nothing is unpacked. @throws AntlerError when it is damaged or holds too much. */
export function listArchive(content: Uint8Array): readonly string[] {
  return entriesOf(content).map(({ name }) => name);
}

/**
 * Unpacks the parts that are wanted.
 *
 * @throws AntlerError `too_large` for a bomb, `unsupported` for a damaged archive.
 */
export function openArchive(content: Uint8Array, isWanted: (name: string) => boolean): Archive {
  const wanted = entriesOf(content).filter(({ name }) => isWanted(name));
  checkSizes(wanted);
  const parts = new Map(Object.entries(unzip(content, isWanted, PROBLEMS)));
  return { names: [...parts.keys()], bytes: (name) => parts.get(name) };
}

const PROBLEMS: ZipProblems = { tooManyEntries: problems.bomb, damaged: problems.damaged };
const entriesOf = (content: Uint8Array) => zipEntries(content, MAX_ENTRIES, PROBLEMS);

function checkSizes(entries: readonly UnzipFileInfo[]): void {
  let total = 0;
  for (const { size, originalSize } of entries) {
    total += originalSize;
    const isBomb = originalSize > RATIO_FROM_BYTES && originalSize > size * MAX_RATIO;
    if (isBomb || total > MAX_UNPACKED_BYTES) throw problems.bomb();
  }
}
