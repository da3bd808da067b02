import { z } from 'zod';

/** What a conversion's process says at its end; checked, since hostile input has passed through it. */
export const reportSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    converted: z.object({
      text: z.string(),
      title: z.string().exactOptional(),
      published: z.string().exactOptional(),
    }),
  }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['unsupported', 'too_large']),
    message: z.string().max(300),
  }),
]);

export type ConversionReport =
  | Extract<z.infer<typeof reportSchema>, { ok: true }>
  | { readonly ok: false; readonly code: string; readonly message: string };
