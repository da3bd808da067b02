import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { type RunId, threadKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { Meter } from '../budgets/port.ts';
import type { Turn, TurnHandler } from '../bus/port.ts';
import { channels, folderFor, messageWith } from '../files/testing/kit.ts';
import type { LogEntry } from '../harness/log.ts';
import type { Harness } from '../harness/port.ts';
import { openStore } from '../store/index.ts';
import type { Store } from '../store/port.ts';
import { createTurnHandler, type ReadyAssistant } from './turn-handler.ts';

const assistant = { id: 'lead', model: { name: 'main', demo: false } } as ReadyAssistant['assistant'];
const finished: LogEntry = { kind: 'tool', id: 't1', at: 0, callId: 'c1', name: 'f', status: 'ok', text: 'done' };

async function openTurn(t: TestContext): Promise<{ readonly store: Store; readonly turn: Turn }> {
  const store = await openStore({ file: join(folderFor(t), 'antler.db'), log: silentLogger });
  t.after(() => store.close());
  const place = threadKey({ channel: 'chat', chat: 'c1' });
  const payload = { message: messageWith(), place, assistantId: 'lead', language: 'en' };
  const turn: Turn = {
    thread: (await store.threads.open(place)).id,
    chat: 'chat/c1',
    inputs: [{ seq: 1, payload, at: 0 }],
    attempt: 0,
    lastCommit: null,
    signal: new AbortController().signal,
    steered: async () => [],
    draft: async () => {},
  };
  return { store, turn };
}

const noMeter: Meter = { spend: () => {}, end: async () => [], [Symbol.asyncDispose]: async () => {} };

function handlerOn(store: Store, run: Harness['run']): TurnHandler {
  return createTurnHandler({
    store,
    harness: { run, probeModel: () => Promise.reject(new Error('not asked for')) },
    channels,
    arrivals: { of: async () => new Map() },
    budgets: { admit: async () => ({ kind: 'go', meter: noMeter }) },
    assistant: async () => ({ assistant, timeZone: 'UTC', maxRunMs: 60_000 }),
    log: silentLogger,
    clock: systemClock,
  });
}

test('a run whose work cannot be stored does not go on in the dark', async (t) => {
  const { store, turn } = await openTurn(t);
  const log = {
    ...store.log,
    append: () => Promise.reject(new AntlerError('unavailable', 'the database is down', { retryable: true })),
  };
  let over = false;
  const handler = handlerOn({ ...store, log }, async function* () {
    try {
      yield { type: 'entry', entry: finished };
      throw new Error('nobody asked for more');
    } finally {
      over = true;
    }
  });
  const outcome = await handler.run(turn);
  assert.equal(over, true);
  assert.ok(outcome.kind === 'retry');
  assert.equal(outcome.isBlameless, true, 'however long the database is away, the turn is not given up');
});

/** Runs two turns, the second after `between`; returns what the second knows of the first. */
async function historyAfter(
  t: TestContext,
  between: (handler: TurnHandler, turn: Turn, commit: RunId) => Promise<Turn>,
): Promise<string[]> {
  const { store, turn } = await openTurn(t);
  const known: string[][] = [];
  const handler = handlerOn(store, async function* ({ history }) {
    known.push(history.map((entry) => (entry.kind === 'user' ? entry.text : entry.kind)));
    yield { type: 'entry', entry: finished };
    return { status: 'completed', text: 'Hi' };
  });
  const outcome = await handler.run(turn);
  assert.ok(outcome.kind === 'done');
  await handler.run(await between(handler, turn, outcome.commit));
  return known[1] ?? [];
}

test('what was said last is known, whether or not its run was marked as one that counts', async (t) => {
  const unmarked = await historyAfter(t, async (_, turn, lastCommit) => ({ ...turn, lastCommit }));
  assert.deepEqual(unmarked, ['look', 'tool']);
});

test('the last answer of a conversation that the bus has forgotten is not lost', async (t) => {
  const forgotten = await historyAfter(t, async (handler, turn, commit) => {
    await handler.committed?.(turn.thread, commit);
    return turn;
  });
  assert.deepEqual(forgotten, ['look', 'tool']);
});
