import { z } from 'zod';
import { filledText, httpUrl, seconds } from './text.ts';

/** A server of tools by the Model Context Protocol: a program (`command`) or an address (`url`). */
export const mcpServerSchema = z
  .object({
    command: filledText.optional(),
    args: z.array(z.string()).default([]),
    /** All that the program gets of the environment, besides PATH and the like. */
    env: z.record(z.string(), z.string().meta({ secret: true })).default({}),
    /** The folder that the program runs in. */
    cwd: filledText.optional(),
    url: httpUrl.optional(),
    /** E.g. `Authorization: Bearer $TOKEN`. */
    headers: z.record(z.string(), z.string().meta({ secret: true })).default({}),
    start_seconds: seconds.default(30),
    call_seconds: seconds.default(120),
  })
  .check(({ value, issues }) => {
    if ((value.command === undefined) !== (value.url === undefined)) return;
    const message = 'expected either command (a program) or url (an address)';
    issues.push({ code: 'custom', path: ['command'], message, input: value });
  });

export type McpServerEntry = z.output<typeof mcpServerSchema>;
