import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());

const requests = (): string[] => server.seen.map(({ body }) => JSON.stringify(body));
const sum = (n: number) => calls({ name: 'calculator', args: { expression: `${n}+1` } });

test('a run that nears the end of its tokens is warned, then closes with an answer', async () => {
  server.script(...Array.from({ length: 30 }, (_, n) => sum(n)));
  const probe = await runTurn(assistantWith(server.model(), { maxSteps: 1 }), 'count');
  assert.equal(probe.result.status, 'step_limit');
  const each = probe.events.flatMap((event) =>
    event.type === 'usage' ? [event.inputTokens + event.outputTokens] : [],
  );
  const budget = (each[0] ?? 0) * 6;

  server.script(...Array.from({ length: 30 }, (_, n) => (n === 29 ? says('never') : sum(n))));
  const { entries } = await runTurn(assistantWith(server.model(), { maxRunTokens: budget, maxSteps: 25 }), 'count');
  assert.ok(server.seen.length < 8, `${server.seen.length} requests`);
  assert.ok(requests().some((text) => /% of the tokens for this are left/.test(text)));
  assert.match(requests().at(-1) ?? '', /used all the tokens/);
  assert.equal(server.seen.at(-1)?.body.tools, undefined);
  assert.ok(entries.some((entry) => entry.kind === 'tool' && /tokens for this are used up/.test(entry.text)));
});

test('without a budget nothing is counted against a run', async () => {
  server.script(sum(1), says('2'));
  const { result } = await runTurn(assistantWith(server.model()), 'count');
  assert.equal(result.text, '2');
});
