import type { Tool } from '../port.ts';
import { grep } from './grep.ts';
import { glob, listFiles } from './list-files.ts';
import { presentFiles } from './present-files.ts';
import { removeFile } from './remove-file.ts';
import { replaceInFile } from './replace-in-file.ts';
import { shell } from './shell.ts';
import { appendFile, writeFile } from './write-file.ts';

/** What an assistant does in its workspace; `read_file` is among the tools for files. */
export const workspaceTools: readonly Tool[] = [
  shell,
  writeFile,
  appendFile,
  replaceInFile,
  removeFile,
  listFiles,
  glob,
  grep,
  presentFiles,
];
