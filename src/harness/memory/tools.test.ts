import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { someModel, toolContext } from '../testing/fake-run.ts';
import { ann, assistantWith, runContext, userSays } from '../testing/run.ts';
import type { Tool } from '../tools/port.ts';
import type { MemoryAccess } from './port.ts';
import { memorySource } from './tools.ts';

const run = { ...runContext, person: 'p_1' };
const signal = new AbortController().signal;

/** Notes what it is asked. */
function noting(): { readonly access: MemoryAccess; readonly asked: unknown[][] } {
  const asked: unknown[][] = [];
  const noted =
    (name: string, result: unknown) =>
    async (...args: unknown[]): Promise<never> => {
      asked.push([name, ...args]);
      return result as never;
    };
  const fact = { label: '3', content: 'Likes tea' };
  return {
    asked,
    access: {
      recall: noted('recall', []),
      search: noted('search', [{ label: '3', content: '3. Likes tea' }]),
      add: noted('add', fact),
      update: noted('update', fact),
      forget: noted('forget', fact),
    },
  };
}

async function toolsOf(access: MemoryAccess, tools: readonly string[] = ['all']): Promise<ReadonlyMap<string, Tool>> {
  const found = await memorySource(access).tools(assistantWith(someModel, { tools }), run);
  return new Map(found.map((tool) => [tool.name, tool]));
}

test('an assistant has those of the tools that it may use, and none where it is not known who speaks', async () => {
  const { access } = noting();
  assert.deepEqual(
    [...(await toolsOf(access)).keys()],
    ['memory_search', 'memory_add', 'memory_update', 'memory_forget'],
  );
  assert.deepEqual([...(await toolsOf(access, ['memory_add', 'calculator'])).keys()], ['memory_add']);
  assert.equal((await toolsOf(access, ['group:memory'])).size, 4);
  assert.deepEqual(await memorySource(access).tools(assistantWith(someModel), runContext), []);
  for (const tool of (await toolsOf(access)).values()) assert.equal(tool.forPeople, true, 'nothing for sub-agents');
});

test('what they do is done for the person and place of the run, by whom is answered', async () => {
  const { access, asked } = noting();
  const tools = await toolsOf(access);
  const context = toolContext({ run, log: [userSays('remember that I like tea')] });
  const call = (name: string, args: unknown): Promise<string> | undefined =>
    tools.get(name)?.call(args, context, signal);
  assert.equal(await call('memory_search', { query: 'tea' }), '3. Likes tea');
  assert.equal(await call('memory_add', { content: ' Likes tea ' }), 'Remembered as 3. Likes tea');
  assert.equal(await call('memory_update', { id: '3', content: 'Likes green tea' }), 'Corrected: 3. Likes tea');
  assert.equal(await call('memory_forget', { id: '3' }), 'Forgotten: 3. Likes tea');
  const place = { person: 'p_1', channel: 'telegram', chat: '7', chatKind: 'dm' };
  assert.deepEqual(asked, [
    ['search', place, 'tea'],
    [
      'add',
      place,
      {
        ...{ about: 'person', content: 'Likes tea', category: 'knowledge', entry: 'm-remember that I like tea' },
        ...{ speaker: ann, thread: 't1' },
      },
    ],
    ['update', place, '3', 'Likes green tea', ann],
    ['forget', place, '3', ann],
  ]);
  await assert.rejects(async () => call('memory_add', { content: 'x'.repeat(501) }), { code: 'bad_input' });
});

test('"saved" is said only of what was: what the memory refuses, the model is told', async () => {
  const refusing: MemoryAccess = {
    ...noting().access,
    add: async () => {
      throw new AntlerError('forbidden', 'memory is turned off here');
    },
  };
  const tools = await toolsOf(refusing);
  const adding = async () => tools.get('memory_add')?.call({ content: 'Likes tea' }, toolContext({ run }), signal);
  await assert.rejects(adding, /turned off/);
});
