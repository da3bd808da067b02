import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineChain } from './chain.ts';
import { DEFAULT_ORDER, defaultChain, ORDER_RULES } from './index.ts';
import type { Draft, MiddlewareKind, Run } from './port.ts';

const run = {} as Run;
const draft = { notes: [] as readonly string[] } as Draft;
const reply = { model: 'm', text: 'x', reasoning: '', toolCalls: [], finish: 'stop' as const };
const call = { id: '1', name: 'f', arguments: '' };

/** Leaves its name wherever it is asked. */
function tracing(name: string, trace: string[]): MiddlewareKind {
  return {
    name,
    create: () => ({
      beforeRun: () => {
        trace.push(`${name} beforeRun`);
      },
      beforeModel: (_run, current) => ({ ...current, notes: [...current.notes, name] }),
      wrapModel: async (_run, current, next) => {
        trace.push(`${name} in`);
        const answer = await next(current);
        trace.push(`${name} out`);
        return answer;
      },
      afterModel: (_run, answer) => ({ kind: 'pass', reply: { ...answer, text: answer.text + name } }),
      wrapTool: async (_run, current, next) => {
        const outcome = await next(current);
        return { ...outcome, text: `${name}(${outcome.text})` };
      },
      afterRun: (_run, result) => ({ ...result, text: result.text + name }),
    }),
  };
}

test('each stage goes through the middlewares in order, and the first wraps the others', async () => {
  const trace: string[] = [];
  const chain = defineChain([tracing('a', trace), tracing('b', trace)], [])();
  await chain.beforeRun(run);
  await chain.model(run, draft, async () => reply);
  assert.deepEqual(trace, ['a beforeRun', 'b beforeRun', 'a in', 'b in', 'b out', 'a out']);
  assert.deepEqual((await chain.beforeModel(run, draft)).notes, ['a', 'b']);
  const verdict = await chain.afterModel(run, reply);
  assert.equal(verdict.kind === 'pass' && verdict.reply.text, 'xab');
  assert.equal((await chain.tool(run, call, async () => ({ status: 'ok', text: 'r' }))).text, 'a(b(r))');
  assert.equal((await chain.afterRun(run, { status: 'completed', text: '' })).text, 'ab');
});

test('the first middleware that does not pass a reply on decides', async () => {
  const stops: MiddlewareKind = { name: 'stops', create: () => ({ afterModel: () => ({ kind: 'again' }) }) };
  const never: MiddlewareKind = { name: 'never', create: () => ({ afterModel: () => assert.fail('was asked') }) };
  assert.equal((await defineChain([stops, never], [])().afterModel(run, reply)).kind, 'again');
});

test('an order that breaks a rule is refused when the chain is built', () => {
  const [a, b] = [tracing('a', []), tracing('b', [])];
  const rules = [{ outer: 'b', inner: 'a', why: 'so it is' }];
  assert.throws(() => defineChain([a, b], rules), /middleware b must come before a: so it is/);
  assert.doesNotThrow(() => defineChain([b, a], rules));
  assert.throws(() => defineChain([a, a], []), /listed twice/);
});

test('each run has middlewares of its own', () => {
  let made = 0;
  const counting: MiddlewareKind = {
    name: 'counting',
    create: () => {
      made++;
      return {};
    },
  };
  const newChain = defineChain([counting], []);
  newChain();
  newChain();
  assert.equal(made, 2);
});

test('the rules name middlewares that there are', () => {
  assert.doesNotThrow(defaultChain);
  const names = new Set(DEFAULT_ORDER.map((kind) => kind.name));
  for (const { outer, inner } of ORDER_RULES) assert.ok(names.has(outer) && names.has(inner), `${outer}, ${inner}`);
});
