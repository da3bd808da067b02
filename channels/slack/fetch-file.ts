import { AntlerError } from '../../src/base/errors.ts';
import type { InboundFile } from '../../src/channel/message.ts';
import type { FetchedFile, FetchOptions } from '../../src/channel/port.ts';
import { safeFileName } from '../../src/format/safe-name.ts';
import type { SlackApi } from './api.ts';
import { type Download, type Downloaded, signInAsked } from './download.ts';
import { CALL_TIMEOUT_MS } from './limits.ts';
import { isElsewhere, isGone, nameOf } from './normalize/files.ts';
import { type File, fileInfoShape } from './normalize/wire.ts';

export interface FetchParts {
  readonly api: SlackApi;
  readonly download: Download;
}

/**
 * Fetches a file by its id. Slack is always asked first where it lies: that may have changed since the message came,
 * and of what another organisation shares the message says nothing but the id.
 * https://docs.slack.dev/reference/methods/files.info
 */
export async function fetchFile(
  { api, download }: FetchParts,
  { id }: Pick<InboundFile, 'id'>,
  options: FetchOptions,
): Promise<FetchedFile> {
  const { signal, maxBytes } = options;
  const answer = await api.call('files.info', { file: id }, { idempotent: true, signal, timeoutMs: CALL_TIMEOUT_MS });
  const file = fileInfoShape.safeParse(answer).data?.file;
  if (file === undefined)
    throw new AntlerError('unavailable', 'Slack does not say what file it is.', { retryable: true });
  if (isGone(file)) throw new AntlerError('not_found', 'The file was deleted, or the workspace’s plan hides it.');
  if (isElsewhere(file))
    throw new AntlerError('unsupported', 'The file does not lie with Slack, which has only a link.');
  if ((file.size ?? 0) > maxBytes) throw new AntlerError('too_large', `The file is larger than ${maxBytes} bytes.`);
  const url = file.url_private_download ?? file.url_private;
  if (url === undefined) throw new AntlerError('not_found', 'Slack hands out no bytes of this file.');
  const downloaded = await download(url, options);
  if (isSignIn(downloaded, file)) throw signInAsked();
  return { content: downloaded.content, ...described(file, downloaded) };
}

/** Documents that Slack keeps in a form of its own and hands out as HTML. */
const DOCUMENTS = new Set(['canvas', 'quip', 'post', 'space', 'docs', 'email', 'html']);

const isDocument = ({ filetype = '', mode = '', mimetype }: File): boolean =>
  DOCUMENTS.has(filetype) || DOCUMENTS.has(mode) || mimetype === 'text/html';

/** A page in the place of a picture is the sign-in page; one in the place of a page is, when it is another one. */
function isSignIn({ content, mime }: Downloaded, file: File): boolean {
  if (mime !== 'text/html') return false;
  if (!isDocument(file)) return true;
  return content.length !== file.size && /<title>[^<]*Slack<\/title>/i.test(content.subarray(0, 4_096).toString());
}

/** Told only now where the message had but an id; a document is named for what it comes as. */
function described(file: File, { mime: served }: Downloaded): Pick<FetchedFile, 'name' | 'mime'> {
  const name = safeFileName(nameOf(file), file.id);
  if (isDocument(file) && served === 'text/html') {
    return { name: /\.html?$/i.test(name) ? name : `${name}.html`, mime: 'text/html' };
  }
  return { name, ...(file.mimetype === undefined || file.mimetype === '' ? {} : { mime: file.mimetype }) };
}
