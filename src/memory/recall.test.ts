import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personSubject } from '../base/ids.ts';
import type { MemoryPlace } from '../harness/memory/port.ts';
import { learn } from './learn.ts';
import type { Memory } from './port.ts';
import { answerWith, type Group, memoryGround, offer, type Somebody, tokensOf } from './testing/ground.ts';

const dmOf = ({ person, key }: Somebody): MemoryPlace => ({ person, channel: 'telegram', chat: key, chatKind: 'dm' });
const groupOf = ({ person }: Somebody, { chat }: Group): MemoryPlace => ({
  ...{ person, channel: 'telegram', chat, chatKind: 'group' },
});

async function told(memory: Memory, place: MemoryPlace, text: string): Promise<string> {
  const sections = await memory.recall(place, text);
  return sections.map(({ about, lines }) => `${about}:\n${lines.join('\n')}`).join('\n');
}

/** Adds facts without a model. */
async function know(ground: Awaited<ReturnType<typeof memoryGround>>, who: Somebody, contents: readonly string[]) {
  const subject = personSubject(who.person);
  const at = ground.clock.now();
  await ground.store.memory.change([subject], at, (books) => {
    const book = books.get(subject);
    assert.ok(book !== undefined);
    const lessons = contents.map((content) => ({
      ...{ subject, content, category: 'knowledge' as const, confidence: 0.8, source: null, saidBy: who.key },
      ...{ speaker: who.name, at, isPrivate: false },
    }));
    return new Map([[subject, learn(book, lessons, { most: 500, now: at }).change]]);
  });
}

test('what has to do with what was said is told first, in English and in Chinese', async (t) => {
  const ground = await memoryGround(t, { injectTokens: 100 });
  const ann = await ground.meet('Ann');
  const others = Array.from({ length: 60 }, (_, n) => `Once visited the city number ${n} by train`);
  await know(ground, ann, ['Is allergic to peanuts', ...others, '女儿叫小明', '在一家银行工作']);
  const first = async (text: string): Promise<string> =>
    (await told(ground.memory, dmOf(ann), text)).split('\n')[1] ?? '';
  assert.match(await first('May I eat these peanut cookies, or am I allergic?'), /^1\. Is allergic to peanuts/);
  assert.match(await first('我女儿的生日送什么好？'), /女儿叫小明/);
  assert.match(await first('银行几点开门'), /在一家银行工作/);
});

test('however much is known and however long it is, what is told stays within the budget, in whole lines', async (t) => {
  const ground = await memoryGround(t, { injectTokens: 800, maxFacts: 500 });
  const ann = await ground.meet('Ann');
  const long = Array.from({ length: 400 }, (_, n) =>
    `Fact ${n}: ${`word${n} `.repeat(n % 5 === 0 ? 70 : 9).trim()}`.slice(0, 500),
  );
  await know(ground, ann, long);
  const sections = await ground.memory.recall(dmOf(ann), 'word5 word77');
  const lines = sections.flatMap((section) => section.lines);
  assert.ok(lines.length > 10);
  assert.ok(lines.reduce((sum, line) => sum + tokensOf(line), 0) <= 800);
  for (const line of lines) assert.match(line, /\(knowledge, 2026-03-01\)$/);
});

test('in a group only what was said in front of others is told, of who is answered and of the group', async (t) => {
  const { meet, hear, hearIn, openGroup, answers, memory } = await memoryGround(t);
  const [ann, bo] = [await meet('Ann'), await meet('Bo')];
  const [group, other] = [await openGroup(), await openGroup()];
  answers(() => JSON.stringify({ facts: [offer('Is pregnant PRIVATE')], summaries: { personal: 'Expects PRIVATE.' } }));
  await hear(ann, 'I am pregnant');
  answers(() => answerWith(offer('Is called Annie by friends'), offer('The retro is on Monday', { about: 'group' })));
  await hearIn(group, [[ann, 'Call me Annie. Our retro is on Monday.']]);
  answers(() => answerWith(offer('Is called Bobby by friends')));
  await hearIn(other, [[bo, 'Call me Bobby']]);

  assert.equal(
    await told(memory, groupOf(ann, group), 'hello'),
    'person:\n2. Is called Annie by friends (knowledge, 2026-03-01)\ngroup:\ng1. The retro is on Monday (knowledge, 2026-03-01, said by Ann)',
  );
  assert.match(await told(memory, dmOf(ann), 'hello'), /PRIVATE[\s\S]*Annie/);
  assert.doesNotMatch(await told(memory, dmOf(ann), 'hello'), /retro/);
  assert.doesNotMatch(await told(memory, groupOf(bo, group), 'PRIVATE Annie'), /PRIVATE|Annie/);
  assert.match(await told(memory, groupOf(bo, group), 'x'), /Bobby[\s\S]*retro/);
  assert.equal(await told(memory, dmOf(await meet('Cy')), 'retro PRIVATE'), '');
});

test('tools find, keep, correct and forget in their own place only, and what is refused is not kept', async (t) => {
  const { meet, memory, openGroup, contents, store, clock } = await memoryGround(t);
  const [ann, bo] = [await meet('Ann'), await meet('Bo')];
  const group = await openGroup();
  const by = (who: Somebody) => ({ id: who.key, name: who.name });
  const wanted = (who: Somebody, content: string, about: 'person' | 'group' = 'person') => ({
    ...{ about, content, category: 'knowledge' as const, speaker: by(who), thread: who.dm, entry: 'e1' },
  });
  const kept = await memory.add(dmOf(ann), wanted(ann, 'My  standup is at 9:40'));
  assert.deepEqual(kept, { label: '1', content: 'My standup is at 9:40' });
  await assert.rejects(memory.add(dmOf(ann), wanted(ann, 'My PIN is 4711')), { code: 'bad_input' });
  await assert.rejects(memory.add(dmOf(ann), wanted(ann, 'x'.repeat(501))), { code: 'bad_input' });
  await assert.rejects(memory.add(dmOf(ann), wanted(ann, 'Our group', 'group')), { code: 'bad_input' });
  assert.match((await memory.search(dmOf(ann), 'when is my standup?'))[0]?.content ?? '', /^1\. My standup/);
  assert.deepEqual(await memory.search(groupOf(ann, group), 'standup'), [], 'it was said in private');
  await assert.rejects(memory.update(dmOf(bo), '1', 'stolen', by(bo)), { code: 'not_found' });
  await assert.rejects(memory.forget(groupOf(ann, group), '1', by(ann)), { code: 'not_found' });
  await memory.update(dmOf(ann), '1', 'My standup is at 10:00', by(ann));
  assert.deepEqual(await contents(ann.person), ['My standup is at 10:00']);

  await memory.add(groupOf(ann, group), wanted(ann, 'We meet in room 5', 'group'));
  await assert.rejects(memory.update(groupOf(bo, group), 'g1', 'We meet in room 6', by(bo)), { code: 'forbidden' });
  await assert.rejects(memory.forget(groupOf(bo, group), 'G1', by(bo)), { code: 'forbidden' });
  assert.equal((await memory.forget(groupOf(ann, group), 'g1', by(ann))).content, 'We meet in room 5');
  for (const label of ['', 'g', '-1', '99999999', 'g1', 'constructor'])
    await assert.rejects(memory.forget(groupOf(ann, group), label, by(ann)), { code: 'not_found' });

  clock.move(1);
  await memory.desk.turn(personSubject(ann.person), true, ann.key);
  await assert.rejects(memory.add(dmOf(ann), wanted(ann, 'I sing')), { code: 'forbidden' });
  assert.deepEqual(await memory.recall(dmOf(ann), 'standup'), []);
  const audited = await store.audit.list({ limit: 20, subject: personSubject(ann.person) });
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['memory.off', 'memory.edit'],
  );
});

test('keys that look alike are two people', async (t) => {
  const ground = await memoryGround(t);
  const { memory } = ground;
  const ann = await ground.meet('a:b');
  await know(ground, ann, ['Is Ann']);
  const place = { channel: 'a', chat: 'b:c', chatKind: 'group' } as const;
  await memory.add(
    { ...place, person: ann.person },
    {
      ...{ about: 'group', content: 'We are the first', category: 'knowledge', speaker: { id: ann.key, name: '' } },
      ...{ thread: 't', entry: 'e' },
    },
  );
  const other = { channel: 'a:b', chat: 'c', chatKind: 'group' } as const;
  assert.doesNotMatch(await told(memory, { ...other, person: 'p_nobody' }, 'first'), /first|Ann/);
});
