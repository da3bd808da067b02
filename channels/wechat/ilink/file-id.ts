import { z } from 'zod';
import { keptJson } from '../../../src/base/kept-json.ts';

/** All that is needed to fetch a file, in any process. */
export interface FileSource {
  /** The whole address, where WeChat gives it. */
  readonly url?: string;
  /** Stands for the file in an address below `cdn_root`. */
  readonly param?: string;
  /** Of AES-128, in hexadecimal; absent for files that are not encrypted. */
  readonly key?: string;
}

const shape = z.object({
  url: z.string().exactOptional(),
  param: z.string().exactOptional(),
  key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .exactOptional(),
});

export const writeFileId = (source: FileSource): string => JSON.stringify(source);

/** Null for what is no id of ours. */
export const readFileId = (id: string): FileSource | null => keptJson(id, shape) ?? null;
