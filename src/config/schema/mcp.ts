import { z } from 'zod';
import { filledText, httpUrl, seconds } from './text.ts';

/** A token got by the client's own credentials or, where one is given, by a refresh token. */
const oauthSchema = z
  .object({
    token_url: httpUrl,
    client_id: filledText,
    client_secret: filledText.meta({ secret: true }).optional(),
    /** How the secret is sent: in the header (`basic`) or in the form (`post`). */
    client_auth: z.enum(['basic', 'post']).default('basic'),
    /** What an admin got by signing in once. It is replaced when the endpoint hands out a new one. */
    refresh_token: filledText.meta({ secret: true }).optional(),
    scope: filledText.optional(),
  })
  .check(({ value, issues }) => {
    if (value.client_secret !== undefined || value.refresh_token !== undefined) return;
    const message = 'expected client_secret, refresh_token or both';
    issues.push({ code: 'custom', path: ['client_secret'], message, input: value });
  });

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
    /** How a token for `url` is got, where a fixed one in `headers` will not do. */
    oauth: oauthSchema.optional(),
    start_seconds: seconds.default(30),
    call_seconds: seconds.default(120),
  })
  .check(({ value, issues }) => {
    const wrong = (path: string, message: string): void => {
      issues.push({ code: 'custom', path: [path], message, input: value });
    };
    if ((value.command === undefined) === (value.url === undefined))
      wrong('command', 'expected either command (a program) or url (an address)');
    if (value.oauth === undefined) return;
    if (value.url === undefined) wrong('oauth', 'a program has no use for it; it goes with url');
    if (Object.keys(value.headers).some((name) => name.toLowerCase() === 'authorization'))
      wrong('oauth', 'expected either oauth or an Authorization header');
  });

export type McpServerEntry = z.output<typeof mcpServerSchema>;
