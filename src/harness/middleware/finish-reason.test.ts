import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelReply } from '../model/port.ts';
import { type FakeRun, fakeRun, replyWith } from '../testing/fake-run.ts';
import { finishReason } from './finish-reason.ts';
import type { Verdict } from './port.ts';

const toolCalls = [{ id: 'a', name: 'calculator', arguments: '{"expr' }];

async function judge(reply: Partial<ModelReply>): Promise<{ verdict: Verdict | undefined; run: FakeRun }> {
  const run = fakeRun();
  return { verdict: await finishReason.create().afterModel?.(run, replyWith(reply)), run };
}

test('an answer that ended by itself passes', async () => {
  for (const finish of ['stop', 'tool_calls', 'unknown'] as const) {
    const { verdict, run } = await judge({ text: 'x', toolCalls, finish });
    assert.deepEqual([verdict?.kind, run.events], ['pass', []]);
  }
});

test('text that reached the output limit is marked as cut', async () => {
  const { verdict, run } = await judge({ text: 'Once upon', finish: 'length' });
  assert.equal(verdict?.kind, 'pass');
  assert.deepEqual(run.events, [{ type: 'notice', sentence: 'model_broken_off' }]);
});

test('calls that reached the output limit are not run, and the model is told what to do', async () => {
  const { verdict } = await judge({ toolCalls, finish: 'length' });
  assert.ok(verdict?.kind === 'refuse_calls');
  assert.match(verdict.why, /nothing was done.*shorter, split it/);
});

test('an answer that the provider withheld is a refusal; its calls are never run', async () => {
  const { verdict } = await judge({ toolCalls, finish: 'content_filter' });
  assert.ok(verdict?.kind === 'end' && verdict.result.status === 'failed');
  assert.deepEqual([verdict.result.sentence, verdict.reply.toolCalls], ['model_refused', []]);
});

test('what came before the provider cut in stays, with a remark', async () => {
  const { verdict, run } = await judge({ text: 'Well, ', toolCalls, finish: 'content_filter' });
  assert.ok(verdict?.kind === 'pass' && verdict.reply.toolCalls.length === 0);
  assert.deepEqual(run.events, [{ type: 'notice', sentence: 'answer_withheld' }]);
});
