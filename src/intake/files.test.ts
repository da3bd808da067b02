import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import type { InboundMessage } from '../channel/message.ts';
import { createFetcher } from '../files/fetcher.ts';
import { bytesOf, fetching, messageWith } from '../files/testing/kit.ts';
import { openIntake } from './testing/kit.ts';

/** What an intake in front of a real gateway's fetcher makes the platform be asked for. */
async function fetchedFor(t: TestContext, ...messages: readonly InboundMessage[]): Promise<string[]> {
  const asked: string[] = [];
  const adapter = fetching(async ({ id }) => {
    asked.push(id);
    return { content: bytesOf('x') };
  });
  const { accept, bus, store, channels } = await openIntake(t, { admitted: (...wish) => fetcher.prefetch(...wish) });
  const shared = { bus, channels, log: silentLogger, clock: systemClock };
  const fetcher = createFetcher({ ...shared, files: store.files, adapter: () => adapter, maxBytes: 1_000 });
  for (const message of messages) await accept(message);
  await fetcher.stop();
  return asked;
}

const admitted = messageWith({ id: 'fine' });
const stranger = { id: 'u2', name: 'Eve', isBot: false };
const group = { id: 'g1', kind: 'group' } as const;

test('files of those who may speak are fetched, once', async (t) => {
  const edited: InboundMessage = { ...admitted, kind: 'edit', sentAt: admitted.sentAt + 1, text: 'see' };
  assert.deepEqual(await fetchedFor(t, admitted, admitted, edited), ['fine']);
});

const unheard: readonly (readonly [string, InboundMessage])[] = [
  ['a sender who is refused', { ...messageWith({}), sender: stranger }],
  ['a bot', { ...messageWith({}), sender: { ...admitted.sender, isBot: true } }],
  ['a group that is not on the list', { ...messageWith({}), chat: { id: 'g2', kind: 'group' }, addressed: 'mention' }],
  ['what is said in a group to others', { ...messageWith({}), chat: group, addressed: 'none' }],
  ['a quote in it', { ...messageWith(), chat: group, addressed: 'none', quote: quoting() }],
  ['a command', { ...messageWith({}), text: '/whoami' }],
  ['what was taken back', { ...messageWith({}), kind: 'recall' }],
];
for (const [whose, message] of unheard)
  test(`the platform is never asked for files of ${whose}`, async (t) => {
    assert.deepEqual(await fetchedFor(t, message), []);
  });

function quoting(): NonNullable<InboundMessage['quote']> {
  return { fromBot: false, text: '', files: [{ id: 'quoted', kind: 'image', name: 'q.png' }] };
}
