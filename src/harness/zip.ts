import { type UnzipFileInfo, unzipSync } from 'fflate';
import { AntlerError } from '../base/errors.ts';

/** How whoever opens an archive says what is wrong with it. */
export interface ZipProblems {
  readonly tooManyEntries: () => AntlerError;
  readonly damaged: (cause: unknown) => AntlerError;
}

/** What an archive says that it holds; nothing is unpacked. */
export function zipEntries(archive: Uint8Array, maxEntries: number, problems: ZipProblems): readonly UnzipFileInfo[] {
  const entries: UnzipFileInfo[] = [];
  const note = (entry: UnzipFileInfo): false => {
    entries.push(entry);
    if (entries.length > maxEntries) throw problems.tooManyEntries();
    return false;
  };
  orDamaged(() => unzipSync(archive, { filter: note }), problems);
  return entries;
}

/**
 * Unpacks what is wanted; what it declares is to be checked before. An entry gets the room that it declares and no more,
 * so that an archive which lies about it is damaged, not dangerous.
 */
export const unzip = (
  archive: Uint8Array,
  isWanted: (name: string) => boolean,
  problems: ZipProblems,
): Readonly<Record<string, Uint8Array>> =>
  orDamaged(() => unzipSync(archive, { filter: ({ name }) => isWanted(name) }), problems);

function orDamaged<Value>(work: () => Value, problems: ZipProblems): Value {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof AntlerError ? thrown : problems.damaged(thrown);
  }
}
