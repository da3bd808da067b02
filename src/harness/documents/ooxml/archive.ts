import { type UnzipFileInfo, unzipSync } from 'fflate';
import { AntlerError } from '../../../base/errors.ts';
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
 * Unpacks the parts that are wanted. What they declare is checked first; fflate gives each the room that it declares and
 * no more, so that an archive which lies about it is damaged, not dangerous.
 *
 * @throws AntlerError `too_large` for a bomb, `unsupported` for a damaged archive.
 */
export function openArchive(content: Uint8Array, isWanted: (name: string) => boolean): Archive {
  const wanted = entriesOf(content).filter(({ name }) => isWanted(name));
  checkSizes(wanted);
  const parts = new Map(Object.entries(orDamaged(() => unzipSync(content, { filter: ({ name }) => isWanted(name) }))));
  return { names: [...parts.keys()], bytes: (name) => parts.get(name) };
}

function entriesOf(content: Uint8Array): UnzipFileInfo[] {
  const entries: UnzipFileInfo[] = [];
  const note = (entry: UnzipFileInfo): false => {
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) throw problems.bomb();
    return false;
  };
  orDamaged(() => unzipSync(content, { filter: note }));
  return entries;
}

function checkSizes(entries: readonly UnzipFileInfo[]): void {
  let total = 0;
  for (const { size, originalSize } of entries) {
    total += originalSize;
    const isBomb = originalSize > RATIO_FROM_BYTES && originalSize > size * MAX_RATIO;
    if (isBomb || total > MAX_UNPACKED_BYTES) throw problems.bomb();
  }
}

function orDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof AntlerError ? thrown : problems.damaged(thrown);
  }
}
