import { createConverter, documentReader, htmlReader } from '../../documents/index.ts';
import type { Tool } from '../port.ts';
import { readFile } from './read-file.ts';
import { plainText } from './reader.ts';
import { sendFile } from './send-file.ts';

/** What an assistant does with the files of a conversation. */
export function fileTools(converter = createConverter()): readonly Tool[] {
  return [readFile([documentReader(converter), htmlReader(converter), plainText]), sendFile];
}
