import { z } from 'zod';

const httpUrl = () => z.url({ protocol: /^https?$/ });

/** What a puppet of wechaty is given, as far as ours take it. */
const puppetOptions = z.object({
  token: z
    .string()
    .trim()
    .min(1)
    .optional()
    .meta({ secret: true, description: 'The token of a puppet service, from its provider.' }),
  endpoint: z
    .string()
    .trim()
    .regex(/^[^\s/]+:\d+$/, 'expected host:port, e.g. 127.0.0.1:8788')
    .optional()
    .meta({ description: 'host:port of a puppet service of your own; left out: found by the token.' }),
  tls: z
    .boolean()
    .default(true)
    .meta({ description: 'false for a puppet service of your own without TLS, on a network that you trust.' }),
});

/** The channel's own keys in the configuration. */
export const wechatConfig = z
  .object({
    transport: z.enum(['ilink', 'wechaty']).default('ilink').meta({
      description: 'ilink: WeChat’s own bot interface. wechaty: a personal account by a puppet, at the account’s risk.',
    }),
    api_root: httpUrl()
      .default('https://ilinkai.weixin.qq.com')
      .meta({ description: 'For ilink: where logins begin; the login itself says where the bot is then served.' }),
    cdn_root: httpUrl()
      .default('https://novac2c.cdn.weixin.qq.com/c2c')
      .meta({ description: 'For ilink: where pictures and files lie.' }),
    puppet: z
      .enum(['wechaty-puppet-service', 'wechaty-puppet-wechat4u'])
      .default('wechaty-puppet-service')
      .meta({ description: 'For wechaty: how it reaches WeChat.' }),
    puppet_options: puppetOptions.default({ tls: true }).meta({ description: 'For wechaty: what the puppet needs.' }),
  })
  .superRefine(({ transport, puppet, puppet_options: { token } }, { addIssue }) => {
    if (transport === 'wechaty' && puppet === 'wechaty-puppet-service' && token === undefined) {
      addIssue({ code: 'custom', path: ['puppet_options', 'token'], message: 'a puppet service needs its token' });
    }
  });

export type WechatConfig = z.output<typeof wechatConfig>;
