/** Invisible, and enough that the marks on its two sides mean nothing together. */
export const WORD_JOINER = '\u2060';

/** From a label to an address that leads elsewhere than to the web or to mail: `javascript:`, `file:`, a bare word. */
const FROM_LABEL = /\](?=\((?!\s*(?:https?:\/\/|mailto:)))/gi;

/**
 * For platforms that read Markdown but know no escapes: what looks like a link in text that stands for itself, as in raw
 * HTML, would be one there. Only what leads to the web or to mail may.
 */
export const withDeadLinks = (text: string): string => text.replace(FROM_LABEL, `]${WORD_JOINER}`);
