import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());
const sums = (from: number, count: number) =>
  calls(
    ...Array.from({ length: count }, (_, n) => ({
      id: `c${n}`,
      name: 'calculator',
      args: { expression: `${from + n}` },
    })),
  );

test('one tool called again and again with other arguments: a warning, then a closing answer', async () => {
  server.script(...Array.from({ length: 5 }, (_, n) => sums(n * 10, 10)), says('So far.'));
  const { result, entries } = await runTurn(assistantWith(server.model(), { maxSteps: 30 }), 'Hi');
  assert.deepEqual(result, { status: 'step_limit', text: 'So far.' });
  const warned = server.seen.map(({ body }) => /calculator very often/.test(body.messages.at(-1)?.content ?? ''));
  assert.deepEqual(warned, [false, false, false, true, false, false]);
  assert.equal(entries.filter((entry) => entry.kind === 'tool' && entry.status === 'ok').length, 40);
  assert.match(server.seen.at(-1)?.body.messages.at(-1)?.content ?? '', /called too often/);
});

test('a long run of different tools is no loop', async () => {
  const steps = Array.from({ length: 20 }, (_, n) =>
    calls(
      { id: 'a', name: 'calculator', args: { expression: `${n}` } },
      { id: 'b', name: 'current_time', args: { time_zone: n % 2 === 0 ? 'Asia/Tokyo' : 'Europe/Berlin' } },
      { id: 'c', name: 'nothing', args: { n } },
    ),
  );
  server.script(...steps, says('Done.'));
  const { result } = await runTurn(assistantWith(server.model(), { maxSteps: 30 }), 'Hi');
  assert.equal(result.status, 'completed');
});
