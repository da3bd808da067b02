import { parentPort, workerData } from 'node:worker_threads';
import { type SearchedFile, searchLines } from './search.ts';

/** What `regex-search.ts` hands over. */
export interface RegexTask {
  readonly pattern: string;
  readonly flags: string;
  readonly files: readonly SearchedFile[];
  readonly limit: number;
}

const { pattern, flags, files, limit } = workerData as RegexTask;
const regex = new RegExp(pattern, flags);
parentPort?.postMessage(searchLines(files, (line) => regex.test(line), limit));
