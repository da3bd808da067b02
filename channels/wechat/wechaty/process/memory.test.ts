import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WechatyBuilder } from 'wechaty';
import { PuppetWechat4u } from 'wechaty-puppet-wechat4u';
import { lendMemory } from './memory.ts';

interface Memory {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  save(): Promise<void>;
}

/** A bot that is never started, and the memory that its puppet keeps its login in. */
async function memoryOf(remembered: string | null, keep: (memory: string) => void): Promise<Memory> {
  const puppet = new PuppetWechat4u();
  const bot = WechatyBuilder.build({ puppet });
  await bot.init();
  await lendMemory(bot, remembered, keep);
  return Reflect.get(puppet, 'memory') as Memory;
}

test('what a puppet wants remembered comes back to the next one, and is told once', async () => {
  const kept: string[] = [];
  const first = await memoryOf(null, (memory) => kept.push(memory));
  await first.save();
  await first.set('login', { session: 1 });
  await first.save();
  await first.save();
  assert.equal(kept.length, 1);
  const second = await memoryOf(kept[0] ?? null, () => assert.fail('nothing has changed'));
  assert.deepEqual(await second.get('login'), { session: 1 });
  await second.save();
});

test('a memory that cannot be read is none', async () => {
  for (const broken of ['', '{', '[]', 'null', '"x"'])
    assert.equal(await (await memoryOf(broken, () => {})).get('login'), undefined);
});
