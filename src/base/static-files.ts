import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fillTemplate } from './html.ts';
import type { Language } from './sentences.ts';

/** The files that belong to a page, read from disk once. */
export interface StaticFiles {
  /** Null when there is none of that name. */
  part(name: string, request: Request): Promise<Response | null>;
  /** A page from a template with `<html lang="en">`, which becomes the language's; see {@link fillTemplate}. */
  page(
    template: string,
    language: Language,
    words: Readonly<Record<string, string>>,
    status?: number,
  ): Promise<Response>;
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Serves `names` of a folder: a closed list, so that no path can lead anywhere else. */
export function staticFiles(folder: URL, names: readonly string[]): StaticFiles {
  const texts = new Map<string, string>();
  const read = async (name: string): Promise<string> => {
    const text = texts.get(name) ?? (await readFile(new URL(name, folder), 'utf8'));
    texts.set(name, text);
    return text;
  };
  return {
    part: async (name, request) => {
      if (!names.includes(name)) return null;
      const text = await read(name);
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
      const headers = { etag, 'cache-control': 'no-cache', 'content-type': types[name.split('.').at(-1) ?? ''] ?? '' };
      if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
      return new Response(text, { headers });
    },
    page: async (template, language, words, status = 200) => {
      const tag = language === 'zh' ? 'zh-CN' : 'en';
      const text = (await read(template)).replace('<html lang="en">', `<html lang="${tag}">`);
      return new Response(fillTemplate(text, words), {
        status,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-language': tag,
          'cache-control': 'no-store',
          vary: 'accept-language',
        },
      });
    },
  };
}
