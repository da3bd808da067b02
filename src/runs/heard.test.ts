import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadKey } from '../base/ids.ts';
import type { EarlierMessage } from '../channel/port.ts';
import { messageWith } from '../files/testing/kit.ts';
import type { HeardEntry, LogEntry } from '../harness/log.ts';
import { userEntry } from './entries.ts';
import { heardEntry } from './heard.ts';
import { untilLastResult } from './resume.ts';
import type { TurnPayload } from './turn-input.ts';

const said = (id: string, at: number, text = `text ${id}`): EarlierMessage => ({
  ...{ id, at, text, name: 'Bo', fromBot: false },
});

const asks = (id: string, earlier: readonly EarlierMessage[] = []): TurnPayload => ({
  message: { ...messageWith(), id },
  place: threadKey({ channel: 'chat', chat: 'c1' }),
  ...{ assistantId: 'lead', language: 'en', earlier },
});

const ids = (entry: HeardEntry | null): string[] | undefined => entry?.messages.map(({ id }) => id);

test('what was said before and read along is told once, in its order, without what is asked itself', () => {
  const payloads = [asks('q1', [said('b', 2), said('a', 1)]), asks('q2', [said('a', 1), said('q1', 3)])];
  const overheard = [said('c', 4), said('b', 2), said('silent', 5, '')];
  assert.deepEqual(ids(heardEntry({ history: [], payloads, overheard }, 9)), ['a', 'b', 'c']);
  assert.equal(heardEntry({ history: [], payloads: [asks('q')], overheard: [] }, 9), null);
});

test('a turn that runs again is told the same under the same id', () => {
  const told = { history: [], payloads: [asks('q', [said('a', 1)])], overheard: [] };
  assert.deepEqual(heardEntry(told, 9), heardEntry(told, 9));
});

test('a conversation that has begun is told no more of what stood before it, and nothing twice', () => {
  const asked = userEntry({ ...messageWith(), id: 'asked' }, 1);
  const known: LogEntry = { kind: 'heard', id: 'h', at: 1, messages: [said('known', 1)] };
  const overheard = [said('known', 1), said('asked', 2), said('new', 3)];
  const payloads = [asks('q', [said('before', 0)])];
  assert.deepEqual(ids(heardEntry({ history: [asked, known], payloads, overheard }, 9)), ['new']);
});

test('of very much the newest is told', () => {
  const overheard = Array.from({ length: 200 }, (_, n) => said(String(n), n, 'x'.repeat(1_000)));
  const told = ids(heardEntry({ history: [], payloads: [asks('q')], overheard }, 999));
  assert.deepEqual([told?.length, told?.at(-1)], [11, '199']);
});

test('a run that goes on with the work of another is told of what was heard by its own entry alone', () => {
  const known: LogEntry = { kind: 'heard', id: 'h', at: 1, messages: [said('known', 1)] };
  const result: LogEntry = { kind: 'tool', id: 't', at: 0, callId: 'c', name: 'f', status: 'ok', text: 'done' };
  assert.deepEqual(untilLastResult([known, result]), [result]);
});
