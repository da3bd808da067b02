import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { threadKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { Turn } from '../bus/port.ts';
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

test('a run whose work cannot be stored does not go on in the dark', async (t) => {
  const { store, turn } = await openTurn(t);
  const log = {
    ...store.log,
    append: () => Promise.reject(new AntlerError('unavailable', 'the database is down', { retryable: true })),
  };
  let over = false;
  const harness: Harness = {
    run: async function* () {
      try {
        yield { type: 'entry', entry: finished };
        throw new Error('nobody asked for more');
      } finally {
        over = true;
      }
    },
    probeModel: () => Promise.reject(new Error('not asked for')),
  };
  const handler = createTurnHandler({
    store: { ...store, log },
    harness,
    channels,
    arrivals: { of: async () => new Map() },
    assistant: async () => ({ assistant, timeZone: 'UTC', maxRunMs: 60_000 }),
    log: silentLogger,
    clock: systemClock,
  });
  assert.equal((await handler.run(turn)).kind, 'retry');
  assert.equal(over, true);
});
