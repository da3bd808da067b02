import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personSubject, threadKey } from '../base/ids.ts';
import { type MemoryAsker, memoryCommand } from './command.ts';
import { imported } from './seed.ts';
import { answerWith, type Group, memoryGround, offer, type Somebody } from './testing/ground.ts';

const alone = (who: Somebody, more: Partial<MemoryAsker> = {}): MemoryAsker => ({
  ...{ user: who.key, person: who.person, group: null, isOperator: false, language: 'en', now: 1_780_000_000_000 },
  ...more,
});
const inGroup = (who: Somebody, { chat }: Group, more: Partial<MemoryAsker> = {}): MemoryAsker =>
  alone(who, { group: threadKey({ channel: 'telegram', chat }), ...more });

test('/memory shows what is known, by numbers that stay, and edits and forgets by them', async (t) => {
  const { meet, hear, answers, memory } = await memoryGround(t);
  const ann = await meet('Ann');
  const say = (args: string, more: Partial<MemoryAsker> = {}): Promise<string> =>
    memoryCommand(memory, alone(ann, more), args);
  assert.match(await say(''), /Nothing so far/);
  answers(() =>
    JSON.stringify({
      facts: ['Likes tea', 'Has a dog', 'Sings alto'].map((one) => offer(one)),
      summaries: { work: 'Paints.' },
    }),
  );
  await hear(ann, 'I like tea, I have a dog and I sing alto');
  assert.match(await say(''), /- Paints\.\n\n1\. Likes tea\n2\. Has a dog\n3\. Sings alto/);
  assert.match(await say('forget 2'), /Has a dog/);
  assert.match(await say('edit 3 Sings  soprano'), /3\. Sings soprano/);
  assert.match(await say('修改 1 喜欢咖啡', { language: 'zh' }), /已修改：1\. 喜欢咖啡/);
  assert.match(await say(''), /1\. 喜欢咖啡\n3\. Sings soprano/);
  assert.doesNotMatch(await say(''), /Paints/, 'a summary may hold what was forgotten');
  for (const args of ['forget 2', 'forget x', 'edit 99 y', 'forget -1', 'forget'])
    assert.match(await say(args), /no fact of that number/, args);
  assert.match(await say('edit 1'), /\/memory edit N/);
  assert.match(await say('edit 1 my password is hunter2'), /do not keep that/);
  assert.match(await say('what is this'), /\/memory edit N/);
  assert.match(await say('查看', { language: 'zh' }), /我记住的关于你的内容/);
});

test('a forgotten fact is not learnt again from what was said before', async (t) => {
  const { meet, hear, answers, memory, contents, clock } = await memoryGround(t);
  const ann = await meet('Ann');
  answers(() => answerWith(offer('Likes tea')));
  await hear(ann, 'I like tea');
  const before = clock.now() - 1;
  clock.move(1);
  await memoryCommand(memory, alone(ann), 'forget 1');
  answers(() => answerWith(offer('likes TEA.')));
  await hear(ann, { text: 'I like tea', at: before });
  assert.deepEqual(await contents(ann.person), []);
  await hear(ann, 'I do like tea after all');
  assert.deepEqual(await contents(ann.person), ['likes TEA.']);
});

test('what was learnt last is taken back by undo, with what it had replaced', async (t) => {
  const { meet, hear, answers, memory, contents, clock } = await memoryGround(t);
  const ann = await meet('Ann');
  answers(() => answerWith(offer('Lives in Bern')));
  await hear(ann, 'I live in Bern');
  answers(() =>
    JSON.stringify({ facts: [offer('Lives in Oslo', { replaces: ['k1'] })], summaries: { personal: 'In Oslo.' } }),
  );
  await hear(ann, 'I was joking about Oslo, I mean I live there');
  assert.match(await memoryCommand(memory, alone(ann), 'undo'), /1 fact removed, 1 restored/);
  assert.deepEqual(await contents(ann.person), ['Lives in Bern']);
  assert.deepEqual((await memory.desk.read(personSubject(ann.person))).summaries, {});
  assert.match(await memoryCommand(memory, alone(ann, { language: 'zh' }), '撤销'), /没有可以撤销的内容/);
  answers(() => answerWith(offer('Has a boat')));
  await hear(ann, 'I have a boat');
  clock.move(8 * 86_400_000);
  assert.match(await memoryCommand(memory, alone(ann), 'undo'), /nothing to take back/);
});

test('in a group the group’s facts are shown; each changes their own words, the rest is for operators', async (t) => {
  const { meet, hear, hearIn, openGroup, answers, memory } = await memoryGround(t);
  const [ann, bo] = [await meet('Ann'), await meet('Bo')];
  const group = await openGroup();
  answers(() => answerWith(offer('Is shy PRIVATE')));
  await hear(ann, 'I am shy');
  answers(() => answerWith(offer('We meet on Monday', { about: 'group' })));
  await hearIn(group, [[ann, 'We meet on Monday']]);
  const shown = await memoryCommand(memory, inGroup(ann, group), '');
  assert.match(shown, /about this group[\s\S]*1\. We meet on Monday[\s\S]*private chat/);
  assert.doesNotMatch(shown, /PRIVATE/);
  assert.match(await memoryCommand(memory, inGroup(bo, group), 'edit 1 We never meet'), /Somebody else said that/);
  for (const args of ['off', 'on', 'forget all', 'undo'])
    assert.match(await memoryCommand(memory, inGroup(bo, group), args), /operator/i, args);
  assert.match(await memoryCommand(memory, inGroup(ann, group), 'edit 1 We meet on Tuesday'), /Tuesday/);
  assert.match(await memoryCommand(memory, inGroup(bo, group, { isOperator: true }), 'forget all'), /1 fact/);
  assert.match(await memoryCommand(memory, alone(ann), ''), /PRIVATE/, 'what is known of its members stays');
});

test('forgetting all takes it from facts, summaries, jobs, what could be undone, and the file', async (t) => {
  const { meet, hear, hearIn, openGroup, answers, memory, store, folder } = await memoryGround(t);
  const [ann, bo] = [await meet('Ann'), await meet('Bo')];
  const group = await openGroup();
  answers(() => JSON.stringify({ facts: [offer('Collects CANARIUM')], summaries: { work: 'CANARIUM.' } }));
  await hear(ann, 'I do');
  answers(() =>
    answerWith(
      offer('Ann orders CANARIUM for all', { about: 'group' }),
      offer('Is in the group of Bo', { source: 'm2' }),
    ),
  );
  await hearIn(group, [
    [ann, 'I order it for all of us'],
    [bo, 'I am in the group'],
  ]);
  answers(() => answerWith(offer('Has sold CANARIUM', { replaces: ['k1'] })));
  await hear(ann, 'I sold it');
  assert.match(await memoryCommand(memory, alone(ann), 'forget all'), /2 fact/);
  const rows = await everything(folder);
  assert.doesNotMatch(rows, /CANARIUM/);
  assert.match(rows, /Is in the group of Bo/);
  const [entry] = await store.audit.list({ limit: 1, subject: personSubject(ann.person) });
  assert.deepEqual([entry?.action, entry?.actor, entry?.details], ['memory.erase', ann.key, { facts: 2 }]);
});

test('what is exported can be imported elsewhere', async (t) => {
  const { meet, hear, answers, memory, clock } = await memoryGround(t);
  const [ann, bo] = [await meet('Ann'), await meet('Bo')];
  answers(() =>
    JSON.stringify({
      facts: [offer('喜欢喝茶', { category: 'preference' })],
      summaries: { long_term: 'Grew up in Ulm.' },
    }),
  );
  await hear(ann, '我喜欢喝茶');
  const text = await memoryCommand(memory, alone(ann), 'export');
  const json = /^```json\n([\s\S]*)\n```$/.exec(text)?.[1] ?? '';
  const read = imported(json, personSubject(bo.person), clock.now());
  await memory.desk.add(personSubject(bo.person), read.facts, read.summaries, 'cli');
  const [was, is] = [
    await memory.desk.read(personSubject(ann.person)),
    await memory.desk.read(personSubject(bo.person)),
  ];
  const facts = ({ facts: all }: typeof was) =>
    all.map(({ content, category, confidence }) => ({ content, category, confidence }));
  assert.deepEqual([facts(is), is.summaries], [facts(was), was.summaries]);
  assert.match(json, /"saidBy": "telegram\/\//);
});

/** Every row of every table. */
async function everything(folder: string): Promise<string> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${folder}/antler.db`);
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const rows = tables.map(({ name }) => database.prepare(`select * from "${String(name)}"`).all());
  database.close();
  return JSON.stringify(rows);
}
