import { type Doc, plain } from '../../../src/format/index.ts';

/** A document as WeChat shows it: text without any formatting. */
export const render = (document: Doc): string => plain(document);
