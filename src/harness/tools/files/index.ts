import type { Tool } from '../port.ts';
import { readFile } from './read-file.ts';
import { plainText } from './reader.ts';
import { sendFile } from './send-file.ts';

/** What an assistant does with the files of a conversation. */
export const fileTools: readonly Tool[] = [readFile([plainText]), sendFile];
