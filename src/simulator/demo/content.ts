import { found } from '../play/found.ts';
import type { PlayFile, Playground } from '../play/port.ts';
import { seatsOf } from './stage.ts';

/** Pictures that browsers show and that cannot hold a script, by how they begin. */
const pictures: readonly (readonly [mime: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

const LONGEST_BEGINNING = 12;

/** A file that a chat shows: pictures to be seen, everything else to be saved. @throws AntlerError `not_found` */
export function fileResponse(play: Playground, id: string): Response {
  const file = found(shownFile(play, id));
  const content = play.content(file);
  const beginning = Buffer.from(content.subarray(0, LONGEST_BEGINNING)).toString('latin1');
  const [mime] = pictures.find(([, pattern]) => pattern.test(beginning)) ?? ['application/octet-stream'];
  const way = file.isImage && mime.startsWith('image/') ? 'inline' : 'attachment';
  return new Response(Buffer.from(content), {
    headers: {
      'content-type': mime,
      'content-disposition': `${way}; filename*=UTF-8''${encoded(file.name)}`,
      ...passiveHeaders,
    },
  });
}

function shownFile(play: Playground, id: string): PlayFile | undefined {
  for (const { chat } of seatsOf(play)) {
    for (const { files } of play.shown(chat)) {
      const file = files.find((one) => one.id === id);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** The picture of the code that waits to be scanned. Dark on light whatever the page's colours are: cameras want it so. */
export async function codeResponse(play: Playground): Promise<Response> {
  const code = found(play.login?.waiting());
  const { renderSVG } = await import('uqr');
  const picture = renderSVG(code, { border: 2, blackColor: '#000', whiteColor: '#fff' });
  return new Response(picture, { headers: { 'content-type': 'image/svg+xml', ...passiveHeaders } });
}

/** For what comes from elsewhere: it can neither do anything nor be used by another page. */
const passiveHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; sandbox",
};
