import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCall } from '../log.ts';
import { fakeRun } from '../testing/fake-run.ts';
import type { ToolOutcome } from './port.ts';
import { toolProgress } from './tool-progress.ts';

const call = (args: object, name = 'web_fetch'): ToolCall => ({ id: '1', name, arguments: JSON.stringify(args) });

/** Calls one after another; `null`: it was not run. */
function play() {
  const middleware = toolProgress.create();
  const run = fakeRun();
  return async (made: ToolCall, outcome: ToolOutcome): Promise<ToolOutcome & { readonly ran: boolean }> => {
    let ran = false;
    const result = await middleware.wrapTool?.(run, made, async () => {
      ran = true;
      return outcome;
    });
    return { ...(result ?? outcome), ran };
  };
}
const ok = (text: string): ToolOutcome => ({ status: 'ok', text });
const error = (text: string): ToolOutcome => ({ status: 'error', text: `Error: ${text}` });

test('one page that keeps refusing: advice, then no further try, while others are still fetched', async () => {
  const next = play();
  const page = call({ url: 'https://a.example/x', page: 1 });
  for (const n of [1, 2]) assert.doesNotMatch((await next(page, error(`HTTP 401 (${n})`))).text, /failed like this/);
  for (const n of [3, 4, 5])
    assert.match(
      (await next(call({ url: 'https://a.example/x', page: n }), error(`HTTP 401 (${n})`))).text,
      /failed like this/,
    );
  const refused = await next(page, error('HTTP 401'));
  assert.equal(refused.ran, false);
  assert.match(refused.text, /^Error: not run\. It failed/);
  assert.ok((await next(call({ url: 'https://b.example/' }), ok('x'))).ran);
});

test('the same file read again and again is remarked on, and new pages of it are not', async () => {
  const next = play();
  for (let page = 1; page < 9; page++)
    assert.equal(
      (await next(call({ path: 'a.txt', offset: page }, 'read_file'), ok(`page ${page}`))).text,
      `page ${page}`,
    );
  const same = call({ path: 'a.txt', offset: 1 }, 'read_file');
  const texts = [];
  for (let n = 0; n < 6; n++) texts.push(await next(same, ok('page 1')));
  assert.deepEqual(
    texts.map(({ text }) => /gave the same result/.test(text)),
    [false, false, true, true, true, true],
  );
  assert.deepEqual(
    texts.map(({ ran }) => ran),
    [true, true, true, true, true, false],
  );
  assert.ok((await next(call({ path: 'a.txt', offset: 2 }, 'read_file'), ok('page 2'))).ran);
});

test('a success in between, or another error, begins the count anew', async () => {
  const next = play();
  const page = call({ url: 'https://a.example/x' });
  for (let n = 0; n < 12; n++) assert.ok((await next(page, n % 2 === 0 ? error('HTTP 500') : error('time-out'))).ran);
});
