export { decodeHtml } from './charset.ts';
export { createConverter } from './converter.ts';
export type { DocumentConverter } from './port.ts';
export { documentReader, htmlReader, kindOf } from './reader.ts';
