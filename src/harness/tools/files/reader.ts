import { decodeText } from './decode.ts';
import type { NamedFile } from './source.ts';

/** Makes text of files of some kind, for a model to read. */
export interface FileReader {
  /**
   * It leaves out of a text what is not for reading (the tags of HTML), so it is passed over where the file itself is
   * asked for, and for files of the workspace, which are read in order to be changed.
   */
  readonly rendersText?: true;
  /** Null when the file is none of its kind. @throws AntlerError with what is wrong with the file. */
  read(file: NamedFile, content: Uint8Array, signal: AbortSignal): string | null | Promise<string | null>;
}

/** What is text already: prose, tables, data, code, in any usual encoding. */
export const plainText: FileReader = { read: (_file, content) => decodeText(content) };
