import { readFile, stat } from 'node:fs/promises';
import { AntlerError } from '../base/errors.ts';
import type { AssistantEntry } from '../config/schema/assistant.ts';

/** As much as anybody writes about one character. */
const MAX_BYTES = 64_000;

/** The souls of files as they are now; one that cannot be read stays what it was. */
export class SoulFiles {
  readonly #read = new Map<string, { readonly changedAt: number; readonly soul: string }>();

  /** What an assistant is by its entry. @throws AntlerError `config_invalid` when its file could not be read yet. */
  of({ soul, soul_file }: Pick<AssistantEntry, 'soul' | 'soul_file'>): Promise<string> | string {
    return soul_file === undefined ? soul : this.#inFile(soul_file);
  }

  async #inFile(path: string): Promise<string> {
    const known = this.#read.get(path);
    try {
      const { mtimeMs: changedAt, size } = await stat(path);
      if (known?.changedAt === changedAt) return known.soul;
      if (size > MAX_BYTES) throw new AntlerError('config_invalid', `it has more than ${MAX_BYTES} bytes`);
      const soul = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
      // An editor that has just emptied the file has not written it yet.
      if (soul.trim() === '') throw new AntlerError('config_invalid', 'it is empty');
      this.#read.set(path, { changedAt, soul });
      return soul;
    } catch (cause) {
      if (known !== undefined) return known.soul;
      const why = cause instanceof AntlerError ? cause.message : 'it cannot be read as a text';
      throw new AntlerError('config_invalid', `soul_file ${path}: ${why}`, { cause });
    }
  }
}
