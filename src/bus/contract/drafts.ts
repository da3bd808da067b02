import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outgoing, Turn } from '../port.ts';
import {
  done,
  gate,
  handlerOf,
  idle,
  newDelivery,
  newDraft,
  newInput,
  newThreadId,
  type OpenBus,
  sendOptions,
  unique,
  until,
  workOptions,
} from './kit.ts';

const textOf = (outgoing: Outgoing): string =>
  outgoing.kind === 'delivery'
    ? outgoing.delivery.document.markdown
    : `draft ${outgoing.draft.parts.map((part) => part.markdown).join('|')}`;

/** The unfinished answer: the newest stand, never after the final, never from a run that is over. */
export function draftContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('shows the newest stand, skips those it came too late for, and hands the message ids on', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const out: { text: string; shown: readonly string[] }[] = [];
      const firstIsOut = gate();
      const goOn = gate();
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push({ text: textOf(outgoing), shown: outgoing.shown });
          if (outgoing.kind === 'delivery') return { kind: 'sent', messageId: 'm1' };
          if (out.length === 1) {
            firstIsOut.open();
            await goOn.passed;
          }
          return { kind: 'sent', shown: ['m1'] };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          await turn.draft(newDraft(stream, 'H'));
          await firstIsOut.passed;
          await turn.draft(newDraft(stream, 'Hel'));
          await turn.draft(newDraft(stream, 'Hell'));
          await turn.draft(newDraft(stream, 'Hello'));
          goOn.open();
          await until('the newest stand', () => out.length === 2);
          return done(turn, [newDelivery('Hello!', { stream: { id: stream, part: 0, last: true } })]);
        }),
        workOptions,
      );
      await bus.publish(newInput(newThreadId(), 'hi'));
      await until('the final text', () => out.some((one) => one.text === 'Hello!'));
      assert.deepEqual(out, [
        { text: 'draft H', shown: [] },
        { text: 'draft Hello', shown: ['m1'] },
        { text: 'Hello!', shown: ['m1'] },
      ]);
    });

    it('shows nothing after the final text, nor before what waits in the chat', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const out: string[] = [];
      let kept: Turn | undefined;
      await bus.outbox.enqueue([newDelivery('waits')]);
      await bus.work(
        handlerOf(async (turn) => {
          kept = turn;
          await turn.draft(newDraft(stream, 'H'));
          return done(turn, [newDelivery('Hello!', { stream: { id: stream, part: 0, last: true } })]);
        }),
        workOptions,
      );
      const thread = newThreadId();
      await bus.publish(newInput(thread, 'hi'));
      await idle(bus, thread);
      await kept?.draft(newDraft(stream, 'Hel'));
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push(textOf(outgoing));
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('both deliveries', () => out.length === 2);
      await kept?.draft(newDraft(stream, 'Hello'));
      await bus.outbox.enqueue([newDelivery('end')]);
      await until('the end', () => out.includes('end'));
      assert.deepEqual(out, ['waits', 'Hello!', 'end']);
    });

    it('shows nothing of a stream whose final text was enqueued beside the run', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const out: string[] = [];
      const shown = gate();
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push(textOf(outgoing));
          shown.open();
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          await turn.draft(newDraft(stream, 'H'));
          await shown.passed;
          await bus.outbox.enqueue([newDelivery('Stopped.', { stream: { id: stream, part: 0, last: true } })]);
          await turn.draft(newDraft(stream, 'Hel'));
          await turn.draft(newDraft(unique('stream'), 'other'));
          await until('the other stream', () => out.includes('draft other'));
          return done(turn);
        }),
        workOptions,
      );
      const thread = newThreadId();
      await bus.publish(newInput(thread, 'hi'));
      await until('three things', () => out.length === 3);
      await idle(bus, thread);
      assert.deepEqual(out, ['draft H', 'Stopped.', 'draft other']);
    });

    it('goes on in the same message when the turn is run again, and shows nothing of the run before', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const out: { text: string; shown: readonly string[] }[] = [];
      let before: Turn | undefined;
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push({ text: textOf(outgoing), shown: outgoing.shown });
          return { kind: 'sent', shown: ['m1', 'm2'] };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          if (before === undefined) {
            before = turn;
            await turn.draft(newDraft(stream, 'first try'));
            await until('the first draft', () => out.length === 1);
            return { kind: 'retry', delayMs: 1, error: 'broke' };
          }
          await before.draft(newDraft(stream, 'from the grave'));
          await turn.draft(newDraft(stream, 'second try'));
          await until('the second draft', () => out.length === 2);
          return done(turn, [newDelivery('final', { stream: { id: stream, part: 0, last: true } })]);
        }),
        workOptions,
      );
      await bus.publish(newInput(newThreadId(), 'hi'));
      await until('the final text', () => out.some((one) => one.text === 'final'));
      assert.deepEqual(out, [
        { text: 'draft first try', shown: [] },
        { text: 'draft second try', shown: ['m1', 'm2'] },
        { text: 'final', shown: ['m1', 'm2'] },
      ]);
    });

    it('shows a draft again later when the platform asks to wait, unless there is a newer one', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const out: string[] = [];
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push(textOf(outgoing));
          return out.length === 1 ? { kind: 'retry', delayMs: 40, error: 'slow down' } : { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          await turn.draft(newDraft(stream, 'H'));
          await until('the draft twice', () => out.length === 2);
          return done(turn);
        }),
        workOptions,
      );
      const thread = newThreadId();
      await bus.publish(newInput(thread, 'hi'));
      await until('the draft twice', () => out.length === 2);
      await idle(bus, thread);
      assert.deepEqual(out, ['draft H', 'draft H']);
    });

    it('counts drafts against the limits', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const limits = [{ scope: unique('scope'), count: 1, windowMs: 100 }];
      const out: { text: string; at: number }[] = [];
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push({ text: textOf(outgoing), at: performance.now() });
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          await turn.draft({ ...newDraft(stream, 'H'), limits });
          await until('the draft', () => out.length === 1);
          return done(turn, [newDelivery('Hello', { limits, stream: { id: stream, part: 0, last: true } })]);
        }),
        workOptions,
      );
      await bus.publish(newInput(newThreadId(), 'hi'));
      await until('the final text', () => out.length === 2);
      const waited = (out[1]?.at ?? 0) - (out[0]?.at ?? 0);
      assert.ok(waited >= 60, `waited ${waited} ms`);
    });

    it('keeps the shown message ids over a restart', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const stream = unique('stream');
      const stored = gate();
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.shown.length > 0) stored.open();
          return { kind: 'sent', shown: ['m1'] };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          for (let n = 0; !turn.signal.aborted; n++) {
            await turn.draft(newDraft(stream, `stand ${n}`));
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          return { kind: 'release' };
        }),
        workOptions,
      );
      await bus.publish(newInput(newThreadId(), 'hi'));
      await stored.passed;
      await bus.close({ graceMs: 0 });
      const again = await reopen();
      const out: { text: string; shown: readonly string[] }[] = [];
      await again.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push({ text: textOf(outgoing), shown: outgoing.shown });
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await again.work(
        handlerOf(async (turn) => done(turn, [newDelivery('Hello', { stream: { id: stream, part: 0, last: true } })])),
        workOptions,
      );
      await until('the final text', () => out.length === 1);
      assert.deepEqual(out, [{ text: 'Hello', shown: ['m1'] }]);
    });
  });
}
