/** Of a document as it comes. */
export const MAX_INPUT_BYTES = 60_000_000;
/** Of what a conversion gives back; more than anybody pages through. */
export const MAX_TEXT_CHARS = 1_500_000;

// Archives: checked by what they declare, before anything is unpacked, and never unpacked beyond what they declare.
export const MAX_ENTRIES = 20_000;
export const MAX_UNPACKED_BYTES = 200_000_000;
/** Deflate can do 1,032 to 1; even the sheets of real documents, row after equal row, stay below this. */
export const MAX_RATIO = 500;
/** Smaller parts may be as repetitive as they like. */
export const RATIO_FROM_BYTES = 10_000_000;

export const MAX_PDF_PAGES = 2_000;
export const MAX_SHEET_COLUMNS = 100;
export const MAX_CELL_CHARS = 2_000;

// The process in which a conversion runs.
export const CONVERSION_MS = 30_000;
export const CONVERSION_HEAP_MB = 512;
/** All of its memory, with what lies outside of the heap. */
export const CONVERSION_RSS_MB = 900;
export const MEMORY_CHECK_MS = 200;
export const MAX_CONVERSIONS = 2;
export const MAX_WAITING = 50;

// What has been converted and may be paged through.
export const MAX_KEPT = 20;
export const MAX_KEPT_CHARS = 8_000_000;
