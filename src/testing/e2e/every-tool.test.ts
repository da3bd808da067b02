import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { modelSchema } from '../../config/schema/model.ts';
import { text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FIGS = '---\nname: figs\ndescription: How to buy figs.\n---\n\nLook, smell, pay.\n';

/** Driven by a test of their own in this folder. */
const ELSEWHERE = new Set(['shell', 'web_search', 'web_fetch']);

test('every tool that an assistant has is called from a chat and does what it says', async (t) => {
  const stage = await setStage(t);
  const { ann, ask, dm, model, telegram } = stage;
  const file = join(stage.folder, 'config.yaml');
  writeFileSync(file, 'sandbox: { engine: none }\n');
  const plain = configOf(stage, { ANTLER_CONFIG: file });
  assert.ok(plain.assistants.lead !== undefined);
  const seeing = modelSchema.parse({ name: 'main', base_url: model.url, api_key: 'k', model: 'm', vision: true });
  const lead = { ...plain.assistants.lead, proposals: true };
  await playAntler(t, stage, { ...plain, models: [seeing], assistants: { lead } });

  /** What is remembered gets an id, by which it is changed. */
  const remembered = (messages: readonly { readonly text: string | null }[]): string =>
    /Remembered as \[?([\w-]+)/.exec(messages.map(({ text: said }) => said ?? '').join('\n'))?.[1] ?? '';
  /** Each call, and what its result says. */
  const calls: readonly (readonly [name: string, args: object | ((id: string) => object), result: RegExp])[] = [
    ['current_time', {}, /\d{4}-\d\d-\d\d/],
    ['calculator', { expression: '6*7' }, /42/],
    ['todo_write', { items: [{ id: '1', text: 'Look', status: 'done' }] }, /Look/],
    ['write_file', { path: 'a.txt', content: 'figs\n' }, /Wrote/],
    ['append_file', { path: 'a.txt', content: 'pears\n' }, /now has/],
    ['read_file', { file: 'a.txt' }, /figs[\s\S]*pears/],
    ['replace_in_file', { path: 'a.txt', old_text: 'pears', new_text: 'plums' }, /a\.txt/],
    ['list_files', {}, /a\.txt/],
    ['glob', { pattern: '*.txt' }, /a\.txt/],
    ['grep', { pattern: 'plums' }, /a\.txt/],
    ['present_files', { paths: ['a.txt'] }, /a\.txt/],
    ['send_file', { name: 'b.md', content: '# B\n' }, /b\.md/],
    ['remove_file', { path: 'a.txt' }, /Removed/],
    ['view_image', { image: 'dot.png' }, /stands below/],
    ['task', { description: 'Prices of figs', prompt: 'What do figs cost?' }, /done[\s\S]*2 euros/],
    ['delegate_task', { title: 'Count figs', text: 'Count them.', confirm: true }, /Task \w{5}\. It begins once/],
    ['schedule', { what: 'Water the figs', cron: '0 9 * * 1' }, /Due next: Monday/],
    ['list_schedules', {}, /1\. \| Water the figs/],
    ['remove_schedule', { number: 1 }, /Removed: Water the figs/],
    ['memory_add', { content: 'Ann likes figs.' }, /Remembered as/],
    ['memory_search', { query: 'figs' }, /likes figs/],
    ['memory_update', (id) => ({ id, content: 'Ann likes dried figs.' }), /dried figs/],
    ['memory_forget', (id) => ({ id }), /[Ff]orgot/],
    ['load_skill', { name: 'research' }, /Skill research/],
    ['propose_soul_change', { soul: 'You are kind.', reason: 'Asked.' }, /Proposed as/],
    ['propose_skill_change', { name: 'figs', skill_md: FIGS, reason: 'Asked.' }, /Proposed as/],
  ];
  const left = [...calls];
  model.handle(({ messages }) => {
    if (/^You work on one task/.test(messages[0]?.text ?? '')) return text('They cost 2 euros.');
    const [name, args] = left.shift() ?? [
      'ask_clarification',
      { question: 'Which day?', options: ['Friday', 'Monday'] },
    ];
    return tools([name, typeof args === 'function' ? args(remembered(messages)) : args]);
  });
  const media = telegram.media({
    kind: 'document',
    bytes: Buffer.from(PNG, 'base64'),
    name: 'dot.png',
    mime: 'image/png',
  });
  telegram.people.say(ann, dm, 'do it all', { media });
  await telegram.waitFor(dm, ({ content }) => /Which day\?/.test(content.text), 30_000);

  const results = (model.requests.at(-1)?.request.messages ?? []).filter(({ role }) => role === 'tool');
  for (const [index, [name, , expected]] of calls.entries()) assert.match(results[index]?.text ?? '', expected, name);
  const driven = new Set([...calls.map(([name]) => name), 'ask_clarification', ...ELSEWHERE]);
  const offered = model.requests[0]?.request.tools?.map(({ name }) => name) ?? [];
  assert.deepEqual(
    offered.filter((name) => !driven.has(name)),
    [],
    'a tool that no test drives',
  );
  assert.deepEqual(
    calls.map(([name]) => name).filter((name) => !offered.includes(name)),
    [],
    'a tool that is not offered',
  );
  const files = await Promise.all(
    ['a.txt', 'b.md'].map((name) =>
      telegram.waitFor(dm, ({ media: sent }) => JSON.stringify(sent ?? '').includes(name), 10_000),
    ),
  );
  assert.equal(files.length, 2);

  model.handle(() => text('Friday it is.'));
  await ask('1', /^Friday it is\.$/);
});
