import { AntlerError } from '../../../../base/errors.ts';
import type { Language } from '../../../../base/sentences.ts';
import type { Net, NetResponse } from '../../../../net/port.ts';
import { type DocumentConverter, decodeHtml, kindOf } from '../../../documents/index.ts';
import type { Page } from './pages.ts';

const TIMEOUT_MS = 25_000;
const ACCEPT =
  'text/html,application/xhtml+xml,text/markdown,text/plain,application/json,application/pdf;q=0.9,*/*;q=0.5';
const ACCEPT_LANGUAGE: Readonly<Record<Language, string>> = { en: 'en,*;q=0.5', zh: 'zh-CN,zh;q=0.9,en;q=0.6,*;q=0.3' };

export interface ReadPageOptions {
  readonly net: Net;
  readonly converter: DocumentConverter;
  readonly maxBytes: number;
}

/**
 * Fetches what a URL names and makes text of it: web pages and documents become Markdown, everything else that is text
 * stays as it is.
 *
 * @throws AntlerError with what the server said or what cannot be read, and those of {@link Net.send}.
 */
export async function readPage(
  { net, converter, maxBytes }: ReadPageOptions,
  url: string,
  language: Language,
  signal: AbortSignal,
): Promise<Page> {
  const answer = await net.send({
    url,
    headers: { accept: ACCEPT, 'accept-language': ACCEPT_LANGUAGE[language] },
    maxBytes,
    timeoutMs: TIMEOUT_MS,
    accepts: (mime) => !isMedia(mime),
    signal,
  });
  if (answer.status !== 200) throw refusal(answer);
  if (isMedia(answer.mime)) throw media(answer.mime);
  return { url: answer.url, ...(await textOf(answer, converter, signal)) };
}

const isMedia = (mime: string): boolean => /^(?:image\/(?!svg)|audio\/|video\/|font\/)/.test(mime);

function media(mime: string): AntlerError {
  const advice = mime.startsWith('image/') ? 'use view_image to see pictures' : 'there is no text in it';
  return new AntlerError('unsupported', `the address is of a file of type ${mime}; ${advice}`);
}

async function textOf(
  { url, mime, charset, body }: NetResponse,
  converter: DocumentConverter,
  signal: AbortSignal,
): Promise<Omit<Page, 'url'>> {
  try {
    const kind = kindOf(body);
    if (kind !== null) return await converter.convert({ kind, content: body }, signal);
  } catch (thrown) {
    if (!(thrown instanceof AntlerError) || thrown.code === 'cancelled') throw thrown;
    throw new AntlerError(thrown.code, `the document ${thrown.message}`, { cause: thrown });
  }
  const text = decodeHtml(body, charset);
  if (text === null)
    throw new AntlerError('unsupported', `the address is of a file of type ${mime || 'unknown'}, not of text`);
  if (!isHtml(mime, text)) return { text };
  // Handed on in one encoding, with its mark, since only the server's header may have told the first one.
  const content = new TextEncoder().encode(`\ufeff${text}`);
  try {
    return await converter.convert({ kind: 'page', content, url }, signal);
  } catch (thrown) {
    if (!(thrown instanceof AntlerError) || thrown.code === 'cancelled') throw thrown;
    throw new AntlerError(thrown.code, `the page ${thrown.message}`, { cause: thrown });
  }
}

/** Servers that say nothing of a type, or that anything may be in it, mean pages as often as not. */
function isHtml(mime: string, text: string): boolean {
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return true;
  return (mime === '' || mime === 'application/octet-stream') && /^\s*(?:<!doctype html|<html[\s>])/i.test(text);
}

/** What a status means for whoever wanted to read the page. */
function refusal({ status, retryAfterMs }: NetResponse): AntlerError {
  switch (status) {
    case 404:
    case 410:
      return new AntlerError('target_gone', `there is no such page (HTTP ${status})`);
    case 401:
    case 402:
    case 403:
    case 407:
    case 451:
      return new AntlerError('unsupported', `the site does not show this page to programs (HTTP ${status})`);
    case 429:
    case 503: {
      const wait = retryAfterMs === undefined ? '' : `, for ${Math.ceil(retryAfterMs / 1_000)} s`;
      return new AntlerError('rate_limited', `the site asks to wait${wait} (HTTP ${status})`);
    }
    default:
      return new AntlerError(status >= 500 ? 'unavailable' : 'unsupported', `the site answered with HTTP ${status}`);
  }
}
