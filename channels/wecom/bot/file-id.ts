import { z } from 'zod';
import { keptJson } from '../../../src/base/kept-json.ts';

/** All that is needed to fetch a file that people sent to an AI bot, in any process. */
export interface FileSource {
  readonly url: string;
  /** In base64. Absent: the file is encrypted with the callback's own key. */
  readonly key?: string;
}

const shape = z.object({ url: z.url({ protocol: /^https?$/ }), key: z.string().exactOptional() });

export const writeFileId = (source: FileSource): string => JSON.stringify(source);

/** Null for what is no id of ours. */
export const readFileId = (id: string): FileSource | null => keptJson(id, shape) ?? null;
