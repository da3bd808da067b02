import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RateLimit, Target } from '../../src/channel/port.ts';
import { startRig } from './testing/rig.ts';

test('whoever keeps to the limits is never told to slow down', async () => {
  let now = Date.now();
  const { telegram, adapter, manifest, ann, bot, target, stop } = await startRig({
    telegram: { flood: true, now: () => now },
  });
  const group = telegram.addGroup({ title: 'Team', members: [ann, bot] });
  const sent = new Map<string, number[]>();
  const isFree = ({ scope, count, windowMs }: RateLimit): boolean =>
    (sent.get(scope) ?? []).filter((at) => at > now - windowMs).length < count;
  const targets: Target[] = [target, { chat: String(group.id), chatKind: 'group' }];
  for (const to of targets) {
    for (let n = 0; n < 25; n++) {
      const limits = manifest.limits('telegram', to, 'send');
      while (!limits.every(isFree)) now += 100;
      for (const { scope } of limits) sent.set(scope, [...(sent.get(scope) ?? []), now]);
      await adapter.send(to, { markdown: `${n}` }, { key: `${to.chat}/${n}` });
    }
  }
  assert.equal(telegram.visible(group).length, 25);
  await stop();
});
