/**
 * What a document is taken for. `page`: HTML from the web, of which the article is wanted; `html`: all of it. `office`:
 * DOCX, XLSX or PPTX, which its contents tell.
 */
export type DocumentKind = 'pdf' | 'office' | 'html' | 'page';

export interface DocumentSource {
  readonly kind: DocumentKind;
  readonly content: Uint8Array;
  /** Where a page is from, for its links. */
  readonly url?: string;
}

export interface Converted {
  /** Markdown. */
  readonly text: string;
  /** As the document says. */
  readonly title?: string;
  readonly published?: string;
}

/** Makes Markdown of documents that strangers have made. */
export interface DocumentConverter {
  /**
   * @throws AntlerError `unsupported` (encrypted, damaged, without text, another kind), `too_large` (a bomb; more memory
   * than a document may take), `timeout`, `unavailable` (too many at once), `cancelled`. Messages are what comes behind
   * a file's name: `is protected by a password; …`.
   */
  convert(source: DocumentSource, signal: AbortSignal): Promise<Converted>;
}
