import { decodeHtml } from './charset.ts';
import { MAX_TEXT_CHARS } from './limits.ts';
import { listArchive } from './ooxml/archive.ts';
import type { Converted, DocumentSource } from './port.ts';
import { problems } from './problems.ts';

/**
 * Makes Markdown of a document, in this process: only a limited one should, see `converter.ts`. Each format is loaded
 * when it is met.
 */
export async function convert(source: DocumentSource): Promise<Converted> {
  const converted = await read(source);
  return { ...converted, text: converted.text.slice(0, MAX_TEXT_CHARS).toWellFormed() };
}

async function read({ kind, content, url }: DocumentSource): Promise<Converted> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(content);
    case 'office':
      return readOffice(content);
    case 'html':
    case 'page': {
      const { htmlToMarkdown, pageToMarkdown } = await import('./html/page.ts');
      const html = decodeHtml(content);
      if (html === null) throw problems.damaged();
      return kind === 'page' && url !== undefined ? pageToMarkdown(html, url) : htmlToMarkdown(html, url);
    }
    default:
      return kind satisfies never;
  }
}

async function readOffice(content: Uint8Array): Promise<Converted> {
  const names = new Set(listArchive(content).map((name) => name.toLowerCase()));
  if (names.has('word/document.xml')) return (await import('./docx.ts')).readDocx(content);
  if (names.has('xl/workbook.xml')) return (await import('./xlsx/index.ts')).readXlsx(content);
  if (names.has('ppt/presentation.xml')) return (await import('./pptx.ts')).readPptx(content);
  throw problems.otherArchive();
}
