import { z } from 'zod';

/** The channel's own keys in the configuration. */
export const slackConfig = z
  .object({
    bot_token: z
      .string()
      .trim()
      .regex(/^xox[be]/, 'expected a bot token as Slack gives it, e.g. xoxb-…')
      .meta({ secret: true, description: 'The Bot User OAuth Token, from OAuth & Permissions.' }),
    transport: z
      .enum(['socket', 'http'])
      .default('socket')
      .meta({ description: 'socket needs nothing but app_token; http needs a public HTTPS address.' }),
    app_token: z
      .string()
      .trim()
      .regex(/^xapp-/, 'expected an app-level token as Slack gives it, e.g. xapp-…')
      .optional()
      .meta({
        secret: true,
        description: 'For transport socket: an App-Level Token with connections:write, from Basic Information.',
      }),
    signing_secret: z
      .string()
      .trim()
      .min(8)
      .optional()
      .meta({ secret: true, description: 'For transport http: the Signing Secret, from Basic Information.' }),
    api_root: z
      .url({ protocol: /^https?$/ })
      .default('https://slack.com/api/')
      .meta({ description: 'Where the Web API is; https://slack-gov.com/api/ for GovSlack.' }),
    files_host: z
      .string()
      .trim()
      .regex(/^[\w.-]+(:\d+)?$/, 'expected a host, e.g. files.slack.com')
      .optional()
      .meta({
        description: 'Where files lie; without it, files.<the host of api_root>. The bot token goes there too.',
      }),
    verification_token: z.string().trim().min(8).optional().meta({
      secret: true,
      description: 'For transport http, optional: lets Slack check the certificate, which it does unsigned.',
    }),
  })
  .superRefine(({ transport, app_token, signing_secret }, { addIssue }) => {
    if (transport === 'socket' && app_token === undefined) {
      addIssue({ code: 'custom', path: ['app_token'], message: 'transport socket needs the app-level token (xapp-…)' });
    }
    if (transport === 'http' && signing_secret === undefined) {
      addIssue({ code: 'custom', path: ['signing_secret'], message: 'transport http needs the signing secret' });
    }
  });

export type SlackConfig = z.output<typeof slackConfig>;
