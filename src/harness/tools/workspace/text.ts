import { AntlerError } from '../../../base/errors.ts';
import type { Workspace } from '../../sandbox/port.ts';

/** Larger files are for the shell. */
const MAX_EDIT_BYTES = 5_000_000;

/** A file that is to be edited: nothing but UTF-8, since anything else would not survive it. */
export async function readForEdit(workspace: Workspace, path: string): Promise<string> {
  const content = await workspace.read(path, MAX_EDIT_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new AntlerError('unsupported', `${path} is not UTF-8 text, so it cannot be edited as text`);
  }
}

export const encoded = (text: string): Uint8Array => new TextEncoder().encode(text.toWellFormed());
