import { z } from 'zod';
import type { FileId } from '../base/ids.ts';
import type { FileInfo } from './log.ts';

/** Under what the files are kept that a turn shows to people: a run that goes on with its work shows them, too. */
export const PRESENTED = 'presented';

const presentedSchema = z.object({
  turn: z.string(),
  files: z.array(
    z.object({
      id: z.string().transform((id) => id as FileId),
      kind: z.enum(['image', 'audio', 'voice', 'video', 'file', 'sticker']),
      name: z.string(),
      mime: z.string(),
      bytes: z.number(),
    }),
  ),
});

/** What a turn has shown so far, by what was kept. */
export function presentedIn(kept: unknown, turn: string): readonly FileInfo[] {
  const { data } = presentedSchema.safeParse(kept);
  return data?.turn === turn ? data.files : [];
}
