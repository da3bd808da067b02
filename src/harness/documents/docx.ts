import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { htmlToMarkdown } from './html/page.ts';
import { openArchive } from './ooxml/archive.ts';
import { xmlText } from './ooxml/xml.ts';
import type { Converted } from './port.ts';
import { problems } from './problems.ts';

const PARTS = /\.(?:xml|rels)$/i;

/** The text of a Word document with its headings, lists, tables, links and notes; pictures are left out. */
export async function readDocx(content: Uint8Array): Promise<Converted> {
  const archive = openArchive(content, (name) => PARTS.test(name));
  const parts = archive.names.map((name): [string, Uint8Array] => [name, archive.bytes(name) ?? new Uint8Array()]);
  for (const [, bytes] of parts) xmlText(bytes); // no entities
  // Packed anew, because mammoth unpacks by a library that does not know our bounds.
  const safe = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
  const { value: html } = await mammoth
    .convertToHtml(
      { buffer: safe },
      { externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    )
    .catch((thrown: unknown) => {
      throw problems.damaged(thrown);
    });
  return { text: htmlToMarkdown(html).text };
}
