import { systemClock } from '../../../src/base/clock.ts';
import { dedupeKey } from '../../../src/channel/message.ts';
import type { Target } from '../../../src/channel/port.ts';
import { createDesk } from '../../../src/channel/testing/desk.ts';
import { type Channel, type Message, type SlackOptions, startSlack } from '../../../src/simulator/slack/index.ts';
import { slackConfig } from '../config.ts';
import { slack as manifest } from '../index.ts';

/** Long waits are over in a moment, so that tests of patience need none. */
const SHORT_MS = 5;

export interface RigOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly slack?: SlackOptions;
  readonly scopes?: readonly string[];
}

/** The real adapter on a simulated Slack, with an intake that keeps what it takes. */
export async function startRig({ config, slack: options, scopes }: RigOptions = {}) {
  const slack = await startSlack({ ...options, limits: { retryDelaysMs: [20, 20, 20], ...options?.limits } });
  const app = slack.addApp({ name: 'antler', commands: ['/antler'], ...(scopes === undefined ? {} : { scopes }) });
  const ann = slack.addUser({ name: 'ann', displayName: 'Ann Lee' });
  const bob = slack.addUser({ name: 'bob', displayName: 'Bob', locale: 'zh-CN' });
  const dm = slack.openDm(ann, app);
  const channel = slack.addChannel({ name: 'team', members: [ann, bob, app.user] });
  const keys = new Map<string, string>();
  const clock = { skipMs: 0, now: () => Date.now() + clock.skipMs, sleep: shortSleep };
  const { context, inbox, statuses, logged } = createDesk({
    channel: 'slack',
    config: slackConfig.parse({
      bot_token: app.botToken,
      app_token: app.appToken,
      signing_secret: app.signingSecret,
      api_root: slack.url,
      ...config,
    }),
    clock,
    memory: keys,
  });
  const known = new Set<string>();
  /** A mention comes as two events; as the real intake does, this one takes it once. */
  const accept: typeof context.accept = async (message) => {
    const key = dedupeKey(message);
    if (known.has(key)) return;
    await context.accept(message);
    known.add(key);
  };
  const adapter = await manifest.create({ ...context, accept });
  return {
    ...{ slack, app, adapter, manifest, inbox, statuses, logged, keys, clock, ann, bob, dm, channel },
    /** Another replica of the same installation. */
    replica: () => manifest.create({ ...context, accept }),
    target: { chat: dm.id, chatKind: 'dm' as const },
    stop: async () => {
      await adapter.stop();
      await slack.stop();
    },
  };
}

/** In the thread below a message. */
export const threadBelow = (channel: Channel, root: Message): Target => ({
  chat: channel.id,
  chatKind: channel.kind === 'im' ? 'dm' : 'group',
  topic: root.threadTs ?? root.ts,
  ...(channel.kind === 'im' ? {} : { replyTo: root.ts }),
});

const shortSleep: typeof systemClock.sleep = (ms, signal) => systemClock.sleep(Math.min(ms, SHORT_MS), signal);
