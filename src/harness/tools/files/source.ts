import { basename } from 'node:path';
import { AntlerError, asAntlerError } from '../../../base/errors.ts';
import { mimeOfName } from '../../../base/mime.ts';
import { FILE_PROBLEMS } from '../../file-problems.ts';
import type { FileInfo, LogEntry, LoggedFile } from '../../log.ts';
import { placeOf } from '../../sandbox/paths.ts';
import type { ToolContext } from '../port.ts';
import { openWithUploads } from '../workspace/open.ts';
import { findFile, noSuchFile } from './find.ts';

/** Larger files are for the shell. */
const MAX_BYTES = 20_000_000;

/** What is known of a file that is to be read, wherever it lies. */
export type NamedFile = Omit<FileInfo, 'id'>;

export interface FileSource {
  readonly file: NamedFile;
  readonly place: 'sent' | 'workspace';
  /** How it is called to the model. */
  readonly shown: string;
  readonly content: Uint8Array;
}

/** Does this name a file of the workspace, rather than one that somebody has sent in the conversation? */
export const isWorkspacePath = (log: readonly LogEntry[], wanted: string): boolean =>
  wanted.trim().startsWith('/') || findFile(log, wanted) === undefined;

/** @throws AntlerError `not_found` that lists what there is; why a file cannot be had. */
export async function openFile(wanted: string, context: ToolContext, signal: AbortSignal): Promise<FileSource> {
  const { log, files } = context;
  const sent = wanted.trim().startsWith('/') ? undefined : findFile(log, wanted);
  if (sent === undefined) return fromWorkspace(wanted.trim(), context, signal);
  const content = await files.read(sent.id, signal).catch((thrown: unknown) => {
    throw problemError(sent) ?? thrown;
  });
  return { file: sent, place: 'sent', shown: sent.name, content };
}

async function fromWorkspace(path: string, context: ToolContext, signal: AbortSignal): Promise<FileSource> {
  try {
    const workspace = await openWithUploads(context, signal);
    const shown = placeOf(path).path;
    const content = await workspace.read(shown, MAX_BYTES);
    const name = basename(shown);
    const file: NamedFile = { kind: 'file', name, mime: mimeOfName(name), bytes: content.byteLength };
    return { file, place: 'workspace', shown, content };
  } catch (thrown) {
    const { code } = asAntlerError(thrown);
    // A bare name was as likely meant for something that was sent.
    const isName = !path.includes('/') || code === 'unsupported';
    throw isName && (code === 'not_found' || code === 'unsupported') ? noSuchFile(context.log) : thrown;
  }
}

/** What is known of why a file is not there says more than that it is not there. */
function problemError({ name, problem }: LoggedFile): AntlerError | null {
  return problem === undefined ? null : new AntlerError('unsupported', `${name} ${FILE_PROBLEMS[problem]}`);
}
