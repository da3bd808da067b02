import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { AssistantEntry } from '../../config/schema/assistant.ts';
import { mcpServerSchema } from '../../config/schema/mcp.ts';
import { modelSchema } from '../../config/schema/model.ts';
import { refuse, type Step, text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

const SERVER = join(import.meta.dirname, '../../harness/mcp/testing/stdio-server.ts');

/** Antler with an assistant made otherwise. */
async function play(t: TestContext, lead: Partial<AssistantEntry> = {}, contextWindow?: number) {
  const stage = await setStage(t);
  const plain = configOf(stage);
  assert.ok(plain.assistants.lead !== undefined);
  const window = contextWindow === undefined ? {} : { context_window: contextWindow };
  const model = modelSchema.parse({ name: 'main', base_url: stage.model.url, api_key: 'k', model: 'm', ...window });
  const config = { ...plain, models: [model], assistants: { lead: { ...plain.assistants.lead, ...lead } } };
  /** What the model was sent in its n-th request. */
  const sent = (n: number): string => JSON.stringify(stage.model.requests.at(n)?.request.messages);
  const offered = (n: number): number => stage.model.requests.at(n)?.request.tools?.length ?? 0;
  return { ...stage, config, sent, offered, start: (more = config) => playAntler(t, stage, more) };
}

/** Calls without end, each another one, until there are no tools. */
const busy =
  (call: (n: number) => Step, last: string) =>
  (n: number, hasTools: boolean): Step =>
    hasTools ? call(n) : text(last);
const sum = (n: number): Step => tools(['calculator', { expression: `${n}+1` }]);

test('an assistant at its last step closes with an answer and without tools', async (t) => {
  const { ask, model, start, sent, offered } = await play(t, { max_steps: 3 });
  await start();
  const step = busy(sum, 'As far as I got.');
  let n = 0;
  model.handle(({ tools: all = [] }) => step(n++, all.length > 0));
  await ask('count', /^As far as I got\.$/);
  assert.equal(model.requests.length, 4);
  assert.equal(offered(-1), 0);
  assert.match(sent(-1), /used all the steps/);
});

test('an assistant near the end of its tokens is warned, then closes with an answer', async (t) => {
  const { ask, model, start, sent, offered } = await play(t, { max_run_tokens: 10_000 });
  await start();
  let n = 0;
  model.handle(({ tools: all = [] }) => {
    const step = busy(sum, 'Budget spent.')(n++, all.length > 0);
    const usage = { prompt_tokens: 2_600, completion_tokens: 0, total_tokens: 2_600 };
    return 'parts' in step ? { ...step, usage } : step;
  });
  await ask('count', /^Budget spent\.$/);
  assert.match(sent(3), /% of the tokens for this are left/);
  assert.equal(offered(4), 0);
  assert.match(sent(4), /the tokens for this are used up/);
});

test('an assistant that makes the same call again and again is warned, then closes with an answer', async (t) => {
  const { ask, model, start, sent, offered } = await play(t);
  await start();
  model.handle(({ tools: all = [] }) => (all.length > 0 ? sum(1) : text('It does not change.')));
  await ask('again', /^It does not change\.$/);
  assert.match(sent(3), /same tool calls several times/);
  assert.match(sent(3), /You have this already/);
  assert.match(sent(5), /without getting further/);
  assert.equal(offered(5), 0);
});

test('an assistant that calls one tool without end, each time otherwise, closes with an answer', async (t) => {
  const { ask, model, start, sent } = await play(t);
  await start();
  let n = 0;
  const ten = (): Step =>
    tools(...Array.from({ length: 10 }, () => ['calculator', { expression: `${n++}*2` }] as const));
  model.handle(({ tools: all = [] }) => (all.length > 0 ? ten() : text('Enough.')));
  await ask('double everything', /^Enough\.$/);
  assert.match(sent(3), /called calculator very often/);
  assert.match(sent(-1), /calculator was called too often/);
});

test('an assistant whose every call fails closes with an answer', async (t) => {
  const { ask, model, start, sent } = await play(t);
  await start();
  let n = 0;
  model.handle(({ tools: all = [] }) =>
    all.length > 0 ? tools(['read_file', { file: `missing-${n++}.txt` }]) : text('I cannot find it.'),
  );
  await ask('read it', /^I cannot find it\.$/);
  assert.match(sent(-1), /every call of the last steps failed/);
});

test('an answer without text is asked for once more, and two of them are told', async (t) => {
  const { ask, model, start, sent } = await play(t);
  await start();
  const silent: Step = { parts: [{ kind: 'reasoning', text: 'I should greet.' }] };
  model.script(silent, text('Hello.'), silent, silent);
  await ask('hi', /^Hello\.$/);
  assert.match(sent(1), /held no text that the person can see/);
  await ask('hi', /The model gave no answer/);
});

test('an answer that was cut, withheld or refused says so, and calls in it are not run', async (t) => {
  const { ask, model, start, sent } = await play(t);
  await start();
  const part = { kind: 'text', text: 'So far' } as const;
  const call = { kind: 'tool', name: 'calculator', arguments: { expression: '1+1' } } as const;
  model.script(
    { parts: [part], finish: 'length' },
    { parts: [call], finish: 'length' },
    text('Two.'),
    { parts: [part, call], finish: 'content_filter' },
    { parts: [], finish: 'content_filter' },
  );
  await ask('tell me', /So far[\s\S]*broke off here/);
  await ask('sum', /^Two\.$/);
  assert.match(sent(2), /nothing was done: your answer reached the output limit/);
  await ask('more', /So far[\s\S]*withheld the rest/);
  await ask('more', /declined to answer/);
  assert.equal(model.requests.length, 5);
});

test('where the model is down the fallback answers, and the person is told', async (t) => {
  const stage = await play(t, { model: 'main', fallbacks: ['second'] });
  const [main] = stage.config.models;
  assert.ok(main !== undefined);
  await stage.start({ ...stage.config, models: [main, { ...main, name: 'second', model: 'n' }] });
  stage.model.handle(({ model }) => (model === 'n' ? text('Hello.') : refuse(401, 'no such key')));
  await stage.ask('hi', /Hello\.[\s\S]*this answer is by second/);
});

test('a malformed or unknown call is an error that the model reads, and the run goes on', async (t) => {
  const { ask, model, start, sent } = await play(t);
  await start();
  const parts = [
    { kind: 'tool', name: 'calculator', arguments: '{"expression": ' },
    { kind: 'tool', name: 'no_such_tool', arguments: {} },
    { kind: 'tool', name: 'calculator', arguments: { wrong: 1 } },
  ] as const;
  model.script({ parts }, text('Sorry.'));
  await ask('sum', /^Sorry\.$/);
  assert.match(sent(1), /no tool named[\s\S]*expression/);
});

test('a long result is put aside into a file that the model reads on', async (t) => {
  const { ask, model, start, sent, config } = await play(t);
  const env = { LONG: Array.from({ length: 2_000 }, (_, n) => `needle ${n}`).join('\n') };
  const server = mcpServerSchema.parse({ command: process.execPath, args: [SERVER], env });
  await start({ ...config, mcp_servers: { sums: server } });
  model.script(tools(['sums_environment', {}]), text('Found.'));
  await ask('search', /^Found\.$/);
  const [, path = ''] = /Read on in (\/mnt\/user-data\/workspace\/\.results\/[^ ,"]+)/.exec(sent(1)) ?? [];
  assert.notEqual(path, '');
  assert.doesNotMatch(sent(1), /needle 1000/);
  model.script(tools(['grep', { path, pattern: 'needle 1000' }]), text('Read.'));
  await ask('go on', /^Read\.$/);
  assert.match(sent(-1), /needle 1000/);
});

test('a conversation that outgrows the window is summed up, and what is asked now stays', async (t) => {
  const { ask, model, start, sent } = await play(t, { tools: [] }, 4_000);
  await start();
  const summaries: string[] = [];
  model.handle(({ messages, tools: all }) => {
    if (!/You keep the memory of a chat/.test(messages[0]?.text ?? '')) return text(`Noted. ${all?.length ?? 0}`);
    summaries.push(messages.at(-1)?.text ?? '');
    return text(`Summary ${summaries.length}: Ann likes figs.`);
  });
  const filler = 'The weather was fine that day and we walked along the river. '.repeat(46);
  for (let n = 0; summaries.length < 2 && n < 30; n++) await ask(`Day ${n}, I like figs. ${filler}`, /^Noted/);
  assert.equal(summaries.length, 2, 'it is summed up again when it grows again');
  assert.match(summaries[1] ?? '', /Summary 1: Ann likes figs/);
  await ask('What do I like?', /^Noted/);
  assert.match(sent(-1), /Summary 2: Ann likes figs/);
  assert.match(sent(-1), /What do I like\?/);
  assert.doesNotMatch(sent(-1), /Day 0,/);
});

test('with many tools those of others are only named, and called once they were looked for', async (t) => {
  const { ask, model, start, config, sent } = await play(t, { max_described_tools: 1 });
  const server = mcpServerSchema.parse({ command: process.execPath, args: [SERVER] });
  await start({ ...config, mcp_servers: { sums: server } });
  model.script(
    tools(['sums_add', { a: 1, b: 2 }]),
    tools(['tool_search', { query: 'add numbers' }]),
    tools(['sums_add', { a: 40, b: 2 }]),
    text('It is 42.'),
  );
  await ask('40 and 2?', /^It is 42\.$/);
  const described = (n: number): boolean =>
    model.requests[n]?.request.tools?.some(({ name }) => name === 'sums_add') ?? false;
  assert.deepEqual([described(0), described(1), described(2)], [false, false, true]);
  assert.match(sent(0), /sums_add/);
  assert.match(sent(1), /not run: you do not know yet what sums_add takes/);
  assert.match(sent(3), /42/);
});

test('the model is told the date, the zone and who speaks', async (t) => {
  const { ask, bo, bot, model, start, sent, telegram } = await play(t, { time_zone: 'Asia/Shanghai' });
  await start();
  model.script(text('Hi.'), text('你好。'));
  await ask('hi', /^Hi\.$/);
  assert.match(sent(0), /Asia\/Shanghai/);
  assert.match(sent(0), new RegExp(`${new Date().getUTCFullYear()}`));
  assert.match(sent(0), /Ann/);
  await ask('好', /^你好。$/, bo, telegram.openPrivateChat(bo, bot));
  assert.match(sent(1), /小波/);
});
