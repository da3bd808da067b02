import { getDocumentProxy } from 'unpdf';
import { MAX_PDF_PAGES, MAX_TEXT_CHARS } from './limits.ts';
import type { Converted } from './port.ts';
import { problems } from './problems.ts';

/** The text of a PDF, page by page. @throws AntlerError `unsupported` when it is encrypted, damaged or a scan. */
export async function readPdf(content: Uint8Array): Promise<Converted> {
  const pdf = await getDocumentProxy(new Uint8Array(content), { verbosity: 0 }).catch((thrown: unknown) => {
    throw thrown instanceof Error && thrown.name === 'PasswordException'
      ? problems.encrypted()
      : problems.damaged(thrown);
  });
  const written: string[] = [];
  let hasText = false;
  let left = MAX_TEXT_CHARS;
  const pages = Math.min(pdf.numPages, MAX_PDF_PAGES);
  for (let number = 1; number <= pages && left > 0; number++) {
    const text = await pageText(pdf, number).catch(() => null);
    if (text === null) {
      written.push(`## Page ${number} of ${pdf.numPages}\n\n(this page is damaged)`);
      continue;
    }
    hasText ||= text !== '';
    left -= text.length;
    written.push(`## Page ${number} of ${pdf.numPages}\n\n${text === '' ? '(no text on this page)' : text}`);
  }
  if (!hasText) throw problems.noText();
  if (written.length < pdf.numPages)
    written.push(`(cut here: pages ${written.length + 1} to ${pdf.numPages} are left out)`);
  const title = await pdf.getMetadata().then(titleOf, () => undefined);
  return { text: written.join('\n\n'), ...(title === undefined ? {} : { title }) };
}

async function pageText(pdf: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return tidy(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
}

const tidy = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function titleOf({ info }: { readonly info: object }): string | undefined {
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  return title === '' ? undefined : title.slice(0, 300);
}
