import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import type { DeliveryId } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { NewDelivery, Outgoing } from '../bus/port.ts';
import type { Adapter, Document, SendOptions, Target } from '../channel/port.ts';
import { createSender } from './sender.ts';

const target: Target = { chat: '-100', chatKind: 'group', replyTo: '41' };
const NOW = 1_000_000_000;

/** A platform that writes down what it is asked, and fails as it is told. */
function platform(
  faults: Partial<Record<'send' | 'edit', AntlerError[]>> = {},
  onSent?: (delivery: NewDelivery, messageId: string) => Promise<void>,
) {
  const calls: string[] = [];
  const notes: NewDelivery[] = [];
  let next = 100;
  const fail = (verb: 'send' | 'edit'): void => {
    const fault = faults[verb]?.shift();
    if (fault !== undefined) throw fault;
  };
  const how = ({ plain }: SendOptions): string => (plain === true ? ' (plain)' : '');
  const adapter: Adapter = {
    start: async () => {},
    stop: async () => {},
    probe: async () => ({ ok: true }),
    send: async (to: Target, document: Document, options: SendOptions) => {
      calls.push(`send${to.replyTo === undefined ? '' : ` re ${to.replyTo}`}: ${document.markdown}${how(options)}`);
      fail('send');
      return { id: String(next++) };
    },
    edit: async (_to, id, document, options) => {
      calls.push(`edit ${id}: ${document.markdown}${how(options)}`);
      fail('edit');
    },
    delete: async (_to, id) => void calls.push(`delete ${id}`),
    typing: async () => void calls.push('typing'),
  };
  const { send, onDoubt } = createSender({
    adapter: (channel) => (channel === 'telegram' ? adapter : undefined),
    channels: new Map(),
    content: async () => null,
    log: silentLogger,
    clock: { now: () => NOW },
    lateMs: 15 * 60_000,
    enqueue: async (added) => void notes.push(...added),
    ...(onSent === undefined ? {} : { onSent }),
  });
  return { calls, notes, send, onDoubt };
}

function delivery(
  markdown: string,
  options: { part?: number; last?: boolean; shown?: string[]; attempt?: number; enqueuedAt?: number } = {},
): Outgoing & { kind: 'delivery' } {
  const { part = 0, last = true, shown = [], attempt = 0, enqueuedAt = NOW } = options;
  const content: NewDelivery = {
    id: `t:1:${part}` as DeliveryId,
    channel: 'telegram',
    target,
    document: { markdown },
    stream: { id: 't:1', part, last },
    limits: [],
    at: enqueuedAt,
    resendForMs: 0,
  };
  return { kind: 'delivery', delivery: content, attempt, shown, enqueuedAt };
}

const draft = (parts: string[], shown: string[] = []): Outgoing => ({
  kind: 'draft',
  draft: { stream: 't:1', channel: 'telegram', target, parts: parts.map((markdown) => ({ markdown })), limits: [] },
  shown,
});

const error = (code: ConstructorParameters<typeof AntlerError>[0], retryAfterMs?: number): AntlerError =>
  new AntlerError(code, code, retryAfterMs === undefined ? {} : { retryAfterMs });

test('an answer that was not streamed is sent once, as a reply', async () => {
  const { calls, send } = platform();
  assert.deepEqual(await send(delivery('Hello')), { kind: 'sent', shown: ['100'], messageId: '100' });
  assert.deepEqual(calls, ['send re 41: Hello']);
});

test('the final text takes the place of what was streamed', async () => {
  const { calls, send } = platform();
  assert.deepEqual(await send(draft(['Hel'])), { kind: 'sent', shown: ['100'] });
  assert.deepEqual(await send(draft(['Hello, A'], ['100'])), { kind: 'sent', shown: ['100'] });
  assert.deepEqual(await send(delivery('Hello, Ann', { shown: ['100'] })), {
    kind: 'sent',
    shown: ['100'],
    messageId: '100',
  });
  assert.deepEqual(calls, ['send re 41: Hel', 'edit 100: Hello, A', 'edit 100: Hello, Ann']);
});

test('an answer that grows over one message fills the first and goes on in a second', async () => {
  const { calls, send } = platform();
  assert.deepEqual(await send(draft(['one', 'two'], ['100'])), { kind: 'sent', shown: ['100', '100'] });
  assert.deepEqual(calls, ['edit 100: one', 'send: two']);
});

test('parts that the final answer no longer needs are taken away', async () => {
  const { calls, send } = platform();
  const outcome = await send(delivery('short', { shown: ['7', '8', '9'] }));
  assert.deepEqual(outcome, { kind: 'sent', shown: ['7'], messageId: '7' });
  assert.deepEqual(calls, ['edit 7: short', 'delete 8', 'delete 9']);
});

test('a streamed message that somebody deleted is sent anew', async () => {
  const { calls, send } = platform({ edit: [error('target_gone')] });
  assert.deepEqual(await send(delivery('Hello', { shown: ['7'] })), {
    kind: 'sent',
    shown: ['100'],
    messageId: '100',
  });
  assert.deepEqual(calls, ['edit 7: Hello', 'send re 41: Hello']);
});

test('refused formatting falls back to plain text', async () => {
  const { calls, send } = platform({ send: [error('format_refused')] });
  assert.equal((await send(delivery('*Hello'))).kind, 'sent');
  assert.deepEqual(calls, ['send re 41: *Hello', 'send re 41: *Hello (plain)']);
});

test('an edit that changes nothing counts as done', async () => {
  const { send } = platform({ edit: [error('not_modified')] });
  assert.equal((await send(delivery('same', { shown: ['7'] }))).kind, 'sent');
});

test('an edit whose answer never came is done again, a send is not', async () => {
  const { send } = platform({ edit: [error('uncertain')], send: [error('uncertain')] });
  assert.equal((await send(delivery('x', { shown: ['7'] }))).kind, 'retry');
  assert.equal((await send(delivery('x'))).kind, 'uncertain');
});

test('a flood wait holds the final text back, it does not lose it', async () => {
  const { send } = platform({ send: [error('rate_limited', 34_000)] });
  const outcome = await send(delivery('x'));
  assert.deepEqual(outcome, { kind: 'retry', delayMs: 34_000, error: 'rate_limited: rate_limited' });
});

test('a flood wait on a stand of the answer stops the edits until it is over', async () => {
  const { calls, send } = platform({ edit: [error('rate_limited', 33_000)] });
  assert.deepEqual(await send(draft(['Hel'], ['7'])), {
    kind: 'retry',
    delayMs: 33_000,
    error: 'rate_limited',
    shown: ['7'],
  });
  assert.equal(calls.length, 1);
});

test('a stand that fails otherwise is left to the next one', async () => {
  const { send } = platform({ send: [error('unavailable')] });
  assert.deepEqual(await send(draft(['Hel'])), { kind: 'sent', shown: [] });
});

test('an empty stand shows typing', async () => {
  const { calls, send } = platform();
  assert.deepEqual(await send(draft([])), { kind: 'sent', shown: [] });
  assert.deepEqual(calls, ['typing']);
});

test('a message that comes much too late says so', async () => {
  const { calls, send } = platform();
  await send(delivery('Hello', { enqueuedAt: NOW - 60 * 60_000 }));
  assert.equal(calls[0], 'send re 41: _(This answer was held up and comes 60 minutes late.)_\n\nHello');
});

test('a channel that this process does not run is left to another', async () => {
  const { send } = platform();
  const other = delivery('x');
  const outcome = await send({ ...other, delivery: { ...other.delivery, channel: 'slack' } });
  assert.equal(outcome.kind, 'retry');
});

test('a message that may be missing is admitted once, and the admission itself is not', async () => {
  const { notes, send } = platform({ send: [error('uncertain'), error('uncertain'), error('uncertain')] });
  assert.equal((await send(delivery('lost?'))).kind, 'uncertain');
  assert.deepEqual(
    notes.map(({ id, document }) => [id, document.markdown]),
    [['t:1:0:note', '_I cannot tell whether my last message reached you. If it is missing, send /again._']],
  );
  const [note] = notes;
  assert.ok(note !== undefined);
  await send({ kind: 'delivery', delivery: note, attempt: 0, shown: [], enqueuedAt: NOW });
  const resent = delivery('again');
  await send({ ...resent, delivery: { ...resent.delivery, resendForMs: 60_000 } });
  assert.equal(notes.length, 1);
});

test('a part that is sent again when the ones behind it are shown does not take their place', async () => {
  const { calls, send } = platform();
  const behind = await send(delivery('two', { part: 1, last: true }));
  assert.deepEqual(behind, { kind: 'sent', shown: ['', '100'], messageId: '100' });
  const again = await send(delivery('one', { part: 0, last: false, shown: ['', '100'] }));
  assert.deepEqual(again, { kind: 'sent', shown: ['101', '100'], messageId: '101' });
  assert.deepEqual(calls, ['send re 41: two', 'send re 41: one']);
});

test('a message whose sender died over it: the person is told once, and not where it is sent again or is such a note', async () => {
  const { notes, onDoubt } = platform();
  const { delivery: answer } = delivery('Hello');
  await onDoubt(answer);
  assert.deepEqual(
    notes.map(({ id, document }) => [id, document.markdown]),
    [['t:1:0:note', '_I cannot tell whether my last message reached you. If it is missing, send /again._']],
  );
  const [note] = notes;
  assert.ok(note !== undefined);
  await onDoubt(note);
  await onDoubt({ ...answer, resendForMs: 60_000 });
  assert.equal(notes.length, 1);
});

/** A message that shows how something stands, in the place of what it showed before. */
const standing = (markdown: string, more: Partial<NewDelivery>, shown: string[] = []): Outgoing => {
  const one = delivery(markdown, { last: false, shown });
  return { ...one, delivery: { ...one.delivery, ...more } };
};

test('a message that the bus has forgotten is edited by the id that is known elsewhere', async () => {
  const { calls, send } = platform();
  assert.deepEqual(await send(standing('Done', { edits: '77' })), { kind: 'sent', shown: ['77'], messageId: '77' });
  assert.deepEqual(await send(standing('Done', { edits: '77' }, ['88'])), {
    kind: 'sent',
    shown: ['88'],
    messageId: '88',
  });
  assert.deepEqual(calls, ['edit 77: Done', 'edit 88: Done']);
});

test('what only brings a message up to date is not sent where that message is gone or was never there', async () => {
  const { calls, send } = platform({ edit: [error('target_gone')] });
  assert.equal((await send(standing('Done', { edits: '77', ifShown: true }))).kind, 'sent');
  assert.equal((await send(standing('Done', { ifShown: true }))).kind, 'sent');
  assert.deepEqual(calls, ['edit 77: Done']);
});

test('a passing stand of a whole message edits it and is never sent anew', async () => {
  const { calls, send } = platform({ edit: [error('target_gone')] });
  const stand: Outgoing = {
    kind: 'draft',
    draft: { stream: 't:1', channel: 'telegram', target, parts: [{ markdown: 'At work' }], limits: [], edits: '77' },
    shown: [],
  };
  assert.deepEqual(await send(stand), { kind: 'sent', shown: [] });
  assert.deepEqual(await send(stand), { kind: 'sent', shown: [] });
  assert.deepEqual(calls, ['edit 77: At work', 'edit 77: At work']);
});

test('who asked is told which message a delivery has become', async () => {
  const told: string[] = [];
  const { send } = platform({}, async ({ id }, message) => void told.push(`${id} ${message}`));
  await send(delivery('Hello'));
  assert.deepEqual(told, ['t:1:0 100']);
});
