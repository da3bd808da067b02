import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { serveWebForTests } from '../../channels/web/testing/served.ts';
import { AntlerError } from '../base/errors.ts';
import type { Adapter, Target } from '../channel/port.ts';
import type { ChatPiece } from '../cli/chat/session.ts';
import { ownerApi } from './owner-api.ts';
import { webSession } from './terminal.ts';

const SILENCE_MS = 40;
const to = (...answers: string[]): Target => ({ chat: 'owner', chatKind: 'dm', answers });

/** The real adapter and server; `answer` plays the rest of Antler. */
async function chat(t: TestContext, answer: (id: string, adapter: Adapter) => Promise<void>) {
  const served = await serveWebForTests(t, {
    onMessage: ({ id }, adapter) => void answer(id, adapter),
  });
  return { served, session: webSession(ownerApi(served.url, undefined), SILENCE_MS) };
}

async function heard(pieces: AsyncIterable<ChatPiece>): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    if ('append' in piece) text += piece.append;
    else if ('replace' in piece) text = piece.replace;
    else if ('notice' in piece) text += `(${piece.notice})`;
  }
  return text;
}

test('an answer that is being written to the page is not taken for the answer to the terminal', async (t) => {
  const { session } = await chat(t, async (id, adapter) => {
    await adapter.edit?.(to('page-message-1'), 't:1:0', { markdown: 'Once upon a time' }, { key: 'e', draft: true });
    await adapter.edit?.(to('page-message-1'), 't:1:0', { markdown: 'Once upon a time.' }, { key: 'e' });
    await adapter.send(to(id), { markdown: 'Hel' }, { key: 't:2:0', draft: true });
    await adapter.send(to('page-message-2'), { markdown: 'You are the owner.' }, { key: 'a:2:0' });
    await adapter.edit?.(to(id), 't:2:0', { markdown: 'Hello.' }, { key: 'e' });
  });
  assert.equal(await heard(session.say('hi')), 'Hello.');
});

test('a message that is answered together with others, or that a running answer takes up, gets that answer', async (t) => {
  const { session } = await chat(t, async (id, adapter) => {
    await adapter.send(to('page-message-1'), { markdown: 'To both: ' }, { key: 't:1:0', draft: true });
    await adapter.edit?.(to('page-message-1', id), 't:1:0', { markdown: 'To both: yes.' }, { key: 'e' });
  });
  assert.equal(await heard(session.say('hi')), 'To both: yes.');
});

test('a message that is never answered does not keep the terminal waiting for ever', async (t) => {
  const { session } = await chat(t, async (_, adapter) => {
    await adapter.send(to('page-message-1'), { markdown: 'A new conversation.' }, { key: 'a:1:0' });
  });
  await assert.rejects(heard(session.say('hi')), (error) => error instanceof AntlerError && error.code === 'conflict');
});

test('an answer whose last words got lost on the way is read from the history', async (t) => {
  const { served, session } = await chat(t, async (id, adapter) => {
    await adapter.send(to(id), { markdown: 'Hello' }, { key: 't:1:0', draft: true });
    await served.store.hosted('web').edit('owner', 't:1:0', 'Hello, world.');
  });
  assert.equal(await heard(session.say('hi')), 'Hello, world.');
});

test('/stop in the terminal stops and says so', async (t) => {
  const { served, session } = await chat(t, async () => {});
  assert.equal(await heard(session.say('/stop')), '(Stopped.)');
  assert.equal(served.stopped.length, 1);
});
