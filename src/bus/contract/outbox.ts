import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NewDelivery, Outgoing, SendOutcome } from '../port.ts';
import { gate, newDelivery, type OpenBus, sendOptions, unique, until } from './kit.ts';

const textOf = (outgoing: Outgoing): string =>
  outgoing.kind === 'delivery' ? outgoing.delivery.document.markdown : `draft ${outgoing.draft.stream}`;

/** Sending: once, in order per chat, and no chat in the way of another. */
export function outboxContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('hands deliveries out unchanged and in order, one per chat at a time', async (t) => {
      const { bus } = await open(t, {});
      const chats = ['a', 'b', 'c', 'd'];
      const seen = new Map<string, string[]>();
      const active = new Set<string>();
      let overlaps = 0;
      let most = 0;
      const whole: NewDelivery = {
        ...newDelivery('**bold** 谢谢', { chat: 'a' }),
        target: { chat: 'a', chatKind: 'group', topic: 't1', replyTo: '77' },
        document: { markdown: '**bold** 谢谢', buttons: [{ label: 'Stop', value: '/stop' }] },
        limits: [{ scope: unique('scope'), count: 100, windowMs: 1_000 }],
      };
      await bus.outbox.enqueue([whole]);
      for (let n = 0; n < 12; n++) await bus.outbox.enqueue(chats.map((chat) => newDelivery(`${chat}${n}`, { chat })));
      assert.equal(await bus.outbox.pending('telegram', 'a'), 13);
      assert.equal(await bus.outbox.pending('telegram', 'b'), 12);
      assert.equal(await bus.outbox.pending('slack', 'a'), 0);
      let first: Outgoing | undefined;
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind !== 'delivery') return { kind: 'dead', error: 'no drafts here' };
          const { chat } = outgoing.delivery.target;
          if (chat === 'a' && first === undefined) first = outgoing;
          if (active.has(chat)) overlaps++;
          active.add(chat);
          most = Math.max(most, active.size);
          await new Promise((resolve) => setTimeout(resolve, 2));
          seen.set(chat, [...(seen.get(chat) ?? []), textOf(outgoing)]);
          active.delete(chat);
          return { kind: 'sent', messageId: 'm1' };
        },
        sendOptions,
      );
      await until('everything sent', async () => (await bus.stats()).pendingDeliveries === 0);
      const numbered = (chat: string) => Array.from({ length: 12 }, (_, n) => `${chat}${n}`);
      assert.deepEqual(seen.get('a'), ['**bold** 谢谢', ...numbered('a')]);
      for (const chat of ['b', 'c', 'd']) assert.deepEqual(seen.get(chat), numbered(chat));
      assert.equal(overlaps, 0);
      assert.ok(most > 1, `${most} at once`);
      assert.ok(first?.kind === 'delivery');
      assert.deepEqual(first.delivery, whole);
      assert.equal(first.attempt, 0);
      assert.deepEqual(first.shown, []);
      assert.ok(Math.abs(first.enqueuedAt - Date.now()) < 60_000);
    });

    it('does not let a slow chat hold up others, and keeps to its concurrency', async (t) => {
      const { bus } = await open(t, {});
      const go = gate();
      const sent: string[] = [];
      let active = 0;
      let most = 0;
      await bus.outbox.enqueue([newDelivery('slow', { chat: 'slow' }), newDelivery('behind it', { chat: 'slow' })]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          most = Math.max(most, ++active);
          if (textOf(outgoing) === 'slow') await go.passed;
          sent.push(textOf(outgoing));
          active--;
          return { kind: 'sent' };
        },
        { ...sendOptions, concurrency: 2 },
      );
      await bus.outbox.enqueue(Array.from({ length: 5 }, (_, n) => newDelivery(`quick ${n}`, { chat: `quick${n}` })));
      await until('the quick chats', () => sent.length === 5);
      assert.equal(await bus.outbox.pending('telegram', 'slow'), 2);
      go.open();
      await until('the slow chat', () => sent.length === 7);
      assert.deepEqual(sent.slice(5), ['slow', 'behind it']);
      assert.ok(most <= 2, `${most} at once`);
    });

    it('sends an id once, whether it waits, is under way or was sent', async (t) => {
      const { bus } = await open(t, {});
      const sent: string[] = [];
      const started = gate();
      const go = gate();
      const once = newDelivery('once', { id: unique('same') });
      await bus.outbox.enqueue([once, once]);
      await bus.outbox.enqueue([once]);
      assert.equal(await bus.outbox.pending('telegram', '1'), 1);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          sent.push(textOf(outgoing));
          started.open();
          await go.passed;
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await started.passed;
      await bus.outbox.enqueue([once]);
      go.open();
      await until('sent', async () => (await bus.outbox.pending('telegram', '1')) === 0);
      await bus.outbox.enqueue([once, newDelivery('end')]);
      await until('the end', () => sent.includes('end'));
      assert.deepEqual(sent, ['once', 'end']);
    });

    it('hands a channel only to who asked for it', async (t) => {
      const { bus } = await open(t, {});
      const sent: string[] = [];
      const sender =
        (who: string) =>
        async (outgoing: Outgoing): Promise<SendOutcome> => {
          sent.push(`${who}: ${textOf(outgoing)}`);
          return { kind: 'sent' };
        };
      await bus.outbox.send(['telegram'], sender('t'), sendOptions);
      await bus.outbox.enqueue([newDelivery('1', { channel: 'slack' }), newDelivery('2', { channel: 'telegram' })]);
      await until('telegram', () => sent.length === 1);
      assert.equal(await bus.outbox.pending('slack', '1'), 1);
      const slack = await bus.outbox.send(['slack', 'feishu'], sender('s'), sendOptions);
      await until('slack', () => sent.length === 2);
      await slack.stop();
      await bus.outbox.enqueue([newDelivery('3', { channel: 'slack' }), newDelivery('4', { channel: 'telegram' })]);
      await until('telegram again', () => sent.length === 3);
      assert.deepEqual(sent, ['t: 2', 's: 1', 't: 4']);
      assert.equal(await bus.outbox.pending('slack', '1'), 1);
    });

    it('tries again after the delay, first things first, counting the attempts', async (t) => {
      const { bus } = await open(t, {});
      const tries: [string, number, number][] = [];
      await bus.outbox.enqueue([
        newDelivery('1', { chat: 'x' }),
        newDelivery('2', { chat: 'x' }),
        newDelivery('other', { chat: 'y' }),
      ]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          const attempt = outgoing.kind === 'delivery' ? outgoing.attempt : -1;
          tries.push([textOf(outgoing), attempt, Date.now()]);
          if (textOf(outgoing) === '1' && attempt < 2) return { kind: 'retry', delayMs: 60, error: 'busy' };
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('all sent', async () => (await bus.stats()).pendingDeliveries === 0);
      const inX = tries.filter(([text]) => text !== 'other');
      assert.deepEqual(
        inX.map(([text, attempt]) => [text, attempt]),
        [
          ['1', 0],
          ['1', 1],
          ['1', 2],
          ['2', 0],
        ],
      );
      for (const [earlier, later] of [
        [0, 1],
        [1, 2],
      ] as const) {
        const waited = (inX[later]?.[2] ?? 0) - (inX[earlier]?.[2] ?? 0);
        assert.ok(waited >= 55, `waited ${waited} ms`);
      }
    });

    it('keeps apart what may have been sent, and what never will be, and goes on', async (t) => {
      const { bus } = await open(t, {});
      const sent: string[] = [];
      const unsure = newDelivery('unsure');
      const refused = newDelivery('refused');
      await bus.outbox.enqueue([unsure, refused, newDelivery('thrown'), newDelivery('fine')]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          sent.push(textOf(outgoing));
          if (textOf(outgoing) === 'unsure') return { kind: 'uncertain', error: 'connection lost' };
          if (textOf(outgoing) === 'refused') return { kind: 'dead', error: 'chat is gone' };
          if (textOf(outgoing) === 'thrown') throw new Error('a bug');
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('all handled', async () => (await bus.stats()).pendingDeliveries === 0);
      assert.deepEqual(sent, ['unsure', 'refused', 'thrown', 'fine']);
      const letters = await bus.deadLetters.list(10);
      assert.deepEqual(
        letters.map(({ kind, error, channel, chat }) => ({ kind, error, channel, chat })),
        [
          // What threw may have been thrown after the request went out.
          { kind: 'uncertain', error: 'a bug', channel: 'telegram', chat: '1' },
          { kind: 'delivery', error: 'chat is gone', channel: 'telegram', chat: '1' },
          { kind: 'uncertain', error: 'connection lost', channel: 'telegram', chat: '1' },
        ],
      );
      assert.deepEqual(letters[1]?.content, refused);
      assert.deepEqual(letters[2]?.content, unsure);
    });

    it('takes a send that never comes back for dead: uncertain, and the chat goes on', async (t) => {
      const { bus } = await open(t, {});
      const sent: string[] = [];
      const late = gate();
      await bus.outbox.enqueue([newDelivery('hangs'), newDelivery('next')]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          sent.push(textOf(outgoing));
          if (textOf(outgoing) === 'hangs') {
            await late.passed;
            return { kind: 'retry', delayMs: 0, error: 'too late to matter' };
          }
          return { kind: 'sent' };
        },
        { ...sendOptions, leaseMs: 600 },
      );
      await until('the next one', () => sent.includes('next'));
      late.open();
      await until('all handled', async () => (await bus.stats()).pendingDeliveries === 0);
      await bus.outbox.enqueue([newDelivery('end')]);
      await until('the end', () => sent.includes('end'));
      assert.deepEqual(sent, ['hangs', 'next', 'end']);
      assert.deepEqual(
        (await bus.deadLetters.list(10)).map((letter) => letter.kind),
        ['uncertain'],
      );
    });

    it('shares a channel between two instances without sending twice or out of order', async (t) => {
      const { bus, second } = await open(t, {});
      if (second === undefined) return t.skip('one instance only');
      const other = await second();
      const seen = new Map<string, string[]>();
      const active = new Set<string>();
      let overlaps = 0;
      const sender = async (outgoing: Outgoing): Promise<SendOutcome> => {
        const chat = outgoing.kind === 'delivery' ? outgoing.delivery.target.chat : '';
        if (active.has(chat)) overlaps++;
        active.add(chat);
        await new Promise((resolve) => setTimeout(resolve, 2));
        seen.set(chat, [...(seen.get(chat) ?? []), textOf(outgoing)]);
        active.delete(chat);
        return { kind: 'sent' };
      };
      await bus.outbox.send(['telegram'], sender, sendOptions);
      await other.outbox.send(['telegram'], sender, sendOptions);
      const chats = Array.from({ length: 6 }, (_, n) => `c${n}`);
      for (let n = 0; n < 10; n++)
        await (n % 2 === 0 ? bus : other).outbox.enqueue(chats.map((chat) => newDelivery(`${n}`, { chat })));
      await until('everything sent', async () => (await bus.stats()).pendingDeliveries === 0);
      for (const chat of chats) assert.deepEqual(seen.get(chat), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
      assert.equal(overlaps, 0);
    });
  });
}
