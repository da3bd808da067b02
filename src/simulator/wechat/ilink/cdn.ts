import type { Files } from './files.ts';
import type { Answer, Request } from './http.ts';

const refused = (status: number, why: string): Answer => ({
  status,
  headers: { 'x-error-message': why },
  body: Buffer.from(''),
});

/** Where files lie, below `/c2c/`; nobody needs a token here. */
export function cdn(files: Files): ReadonlyMap<string, (request: Request) => Promise<Answer>> {
  return new Map([
    [
      'upload',
      async ({ verb, query, bytes }) => {
        if (verb !== 'POST') return refused(405, 'post it');
        const param = files.take(query.encrypted_query_param ?? '', query.filekey ?? '', bytes);
        if (param === null) return refused(400, 'not as it was announced');
        return { status: 200, headers: { 'x-encrypted-param': param }, body: Buffer.from('') };
      },
    ],
    [
      'download',
      async ({ query }) => {
        const content = files.get(query.encrypted_query_param ?? '');
        if (content === undefined) return refused(404, 'gone');
        return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: content };
      },
    ],
  ]);
}
