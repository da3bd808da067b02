import { z } from 'zod';
import { folderText } from './text.ts';

export const skillsSchema = z.object({
  /** Holds the admin's own skills, a folder each. */
  custom_dir: folderText.default('./skills/custom'),
  /** What commands of a skill that names it get in their environment. */
  secrets: z
    .record(
      z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'expected a name such as WEATHER_API_KEY'),
      z.string().min(6).meta({ secret: true }),
    )
    .default({}),
});
