import { playWechaty } from '../../../src/simulator/play/wechaty.ts';
import { adapterConformance } from '../../../src/testing/conformance/suite.ts';
import { wechatConfig } from '../config.ts';
import { wechat } from '../index.ts';

const config = wechatConfig.parse({ transport: 'wechaty', puppet_options: { token: 'insecure_any' } });

const manifest: typeof wechat = { ...wechat, ...wechat.forSettings?.(config) };

adapterConformance({ name: 'wechat, wechaty', manifest, play: playWechaty });
