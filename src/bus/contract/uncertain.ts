import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NewDelivery } from '../port.ts';
import { gate, newDelivery, type OpenBus, sendOptions, unique, until } from './kit.ts';

const HOUR_MS = 3_600_000;
const resent = (text: string): NewDelivery => newDelivery(text, { resendForMs: HOUR_MS });
const aged = (delivery: NewDelivery): NewDelivery => ({ ...delivery, at: Date.now() - 2 * HOUR_MS });

/** What may have been sent: again while it is young enough, else kept apart. */
export function uncertainContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('sends again under the same id, first of its chat, while it is young; keeps apart what is not', async (t) => {
      const { bus } = await open(t, {});
      const tries: { readonly text: string; readonly id: string; readonly attempt: number }[] = [];
      const young = resent('young');
      await bus.outbox.enqueue([young, newDelivery('held'), aged(resent('old')), newDelivery('last')]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind !== 'delivery') return { kind: 'sent' };
          const { delivery, attempt } = outgoing;
          tries.push({ text: delivery.document.markdown, id: delivery.id, attempt });
          return delivery.document.markdown === 'last' || attempt > 0
            ? { kind: 'sent' }
            : { kind: 'uncertain', error: 'connection lost' };
        },
        sendOptions,
      );
      await until('everything handled', async () => (await bus.stats()).pendingDeliveries === 0);
      assert.deepEqual(
        tries.map(({ text, attempt }) => [text, attempt]),
        [
          ['young', 0],
          ['young', 1],
          ['held', 0],
          ['old', 0],
          ['last', 0],
        ],
      );
      assert.deepEqual(new Set(tries.slice(0, 2).map((one) => one.id)), new Set([young.id]));
      const letters = await bus.deadLetters.list(10);
      assert.deepEqual(
        letters.map(({ kind, error, content }) => [kind, error, (content as NewDelivery).document.markdown]),
        [
          ['uncertain', 'connection lost', 'old'],
          ['uncertain', 'connection lost', 'held'],
        ],
      );
    });

    it('sends again what threw, and what did not come back in time', async (t) => {
      const { bus } = await open(t, {});
      const tries: [string, number][] = [];
      const late = gate();
      await bus.outbox.enqueue([resent('throws'), resent('hangs'), newDelivery('end')]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind !== 'delivery') return { kind: 'sent' };
          const { markdown } = outgoing.delivery.document;
          tries.push([markdown, outgoing.attempt]);
          if (outgoing.attempt > 0 || markdown === 'end') return { kind: 'sent' };
          if (markdown === 'throws') throw new Error('reset by peer');
          await late.passed;
          return { kind: 'dead', error: 'too late to matter' };
        },
        { ...sendOptions, leaseMs: 500 },
      );
      await until('everything handled', async () => (await bus.stats()).pendingDeliveries === 0);
      late.open();
      assert.deepEqual(tries, [
        ['throws', 0],
        ['throws', 1],
        ['hangs', 0],
        ['hangs', 1],
        ['end', 0],
      ]);
      assert.deepEqual(await bus.deadLetters.list(10), []);
    });

    it('sends again what a dead sender had under way, and keeps apart what is too old for it', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const started = gate();
      const dead = gate();
      let under = 0;
      const options = { ...sendOptions, leaseMs: 500 };
      await bus.outbox.enqueue([
        { ...resent('young'), target: { chat: 'a', chatKind: 'dm' } },
        newDelivery('behind it', { chat: 'a' }),
        { ...aged(resent('old')), target: { chat: 'b', chatKind: 'dm' } },
      ]);
      await bus.outbox.send(
        ['telegram'],
        async () => {
          if (++under === 2) started.open();
          await dead.passed;
          return { kind: 'sent' };
        },
        options,
      );
      await started.passed;
      const after = await crash();
      const sent: [string, number][] = [];
      await after.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push([outgoing.delivery.document.markdown, outgoing.attempt]);
          return { kind: 'sent' };
        },
        options,
      );
      await until('everything handled', async () => (await after.stats()).pendingDeliveries === 0);
      dead.open();
      assert.deepEqual(sent, [
        ['young', 1],
        ['behind it', 0],
      ]);
      assert.deepEqual(
        (await after.deadLetters.list(10)).map(({ kind, content }) => [
          kind,
          (content as NewDelivery).document.markdown,
        ]),
        [['uncertain', 'old']],
      );
    });

    it('tells once of what was set aside because its sender had died', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const started = gate();
      const dead = gate();
      const options = { ...sendOptions, leaseMs: 500 };
      await bus.outbox.enqueue([newDelivery('in doubt'), newDelivery('behind it')]);
      await bus.outbox.send(
        ['telegram'],
        async () => {
          started.open();
          await dead.passed;
          return { kind: 'sent' };
        },
        options,
      );
      await started.passed;
      const after = await crash();
      const sent: string[] = [];
      const told: string[] = [];
      const telling = {
        ...options,
        onDoubt: async ({ document }: NewDelivery) => {
          told.push(document.markdown);
          await after.outbox.enqueue([newDelivery('a note about it')]);
        },
      };
      for (const channels of [['slack'], ['telegram'], ['telegram']])
        await after.outbox.send(
          channels,
          async (outgoing) => {
            if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
            return { kind: 'sent' };
          },
          telling,
        );
      await until('the note', () => sent.length === 2);
      dead.open();
      assert.deepEqual(told, ['in doubt']);
      assert.deepEqual(sent, ['behind it', 'a note about it']);
    });

    it('finishes in place what a dead sender was finishing, since an edit can be done twice', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const started = gate();
      const dead = gate();
      const options = { ...sendOptions, leaseMs: 500 };
      const stream = unique('stream');
      await bus.outbox.enqueue([
        newDelivery('part 1', { stream: { id: stream, part: 0, last: false } }),
        newDelivery('part 2', { stream: { id: stream, part: 1, last: true } }),
      ]);
      let parts = 0;
      await bus.outbox.send(
        ['telegram'],
        async () => {
          // The first part is shown, together with a first stand of the second.
          if (++parts === 1) return { kind: 'sent', shown: ['100', '101'] };
          started.open();
          await dead.passed;
          return { kind: 'sent' };
        },
        options,
      );
      await started.passed;
      const after = await crash();
      const sent: [string, readonly string[]][] = [];
      await after.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push([outgoing.delivery.document.markdown, outgoing.shown]);
          return { kind: 'sent', shown: outgoing.shown };
        },
        options,
      );
      await until('everything handled', async () => (await after.stats()).pendingDeliveries === 0);
      dead.open();
      assert.deepEqual(sent, [['part 2', ['100', '101']]]);
      assert.deepEqual(await after.deadLetters.list(10), []);
    });

    it('sends again after a restart what was cut off by the stop', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const started = gate();
      const end = gate();
      await bus.outbox.enqueue([resent('cut off'), newDelivery('behind it')]);
      await bus.outbox.send(
        ['telegram'],
        async () => {
          started.open();
          await end.passed;
          return { kind: 'sent' };
        },
        { ...sendOptions, leaseMs: 500 },
      );
      await started.passed;
      await bus.close({ graceMs: 20 });
      end.open();
      const again = await reopen();
      const sent: [string, number][] = [];
      await again.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push([outgoing.delivery.document.markdown, outgoing.attempt]);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('both sent', () => sent.length === 2);
      assert.deepEqual(sent, [
        ['cut off', 1],
        ['behind it', 0],
      ]);
      assert.deepEqual(await again.deadLetters.list(10), []);
    });
  });
}
