import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { handlerOf, newDelivery, newInput, newThreadId, until } from '../../bus/contract/kit.ts';
import { createEmbeddedBus } from '../../bus/embedded/index.ts';
import type { MessageBus } from '../../bus/port.ts';
import { folderForTests } from './settings.ts';

/** A real bus of one process, on which nobody works or sends yet. */
export async function busForTests(t: TestContext): Promise<MessageBus> {
  const bus = await createEmbeddedBus({ file: join(folderForTests(t), 'bus.db'), log: silentLogger });
  t.after(() => bus.close({ graceMs: 0 }));
  return bus;
}

/** What was set up to fail. */
export interface Failing {
  /** From now on what is sent arrives. */
  mend(): void;
  /** What has arrived. */
  readonly sent: readonly string[];
}

/** Starts a worker that fails every turn, and a sender that is `uncertain` of texts with a question mark, else fails. */
export async function failForTests(bus: MessageBus): Promise<Failing> {
  let broken = true;
  const sent: string[] = [];
  await bus.work(
    handlerOf(async () => ({ kind: 'retry', delayMs: 0, error: 'the model refused' })),
    { concurrency: 4, leaseMs: 5_000, maxAttempts: 1 },
  );
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'draft') return { kind: 'sent' };
      const { markdown } = outgoing.delivery.document;
      if (broken) return { kind: markdown.includes('?') ? 'uncertain' : 'dead', error: 'the chat is gone' };
      sent.push(markdown);
      return { kind: 'sent' };
    },
    { concurrency: 4, leaseMs: 5_000 },
  );
  return {
    sent,
    mend: () => {
      broken = false;
    },
  };
}

/** Makes one dead letter a text, in this order, and waits until they are there. */
export async function loseDeliveries(bus: MessageBus, texts: readonly string[]): Promise<void> {
  const before = (await bus.stats()).deadLetters;
  for (const [index, text] of texts.entries()) {
    await bus.outbox.enqueue([newDelivery(text)]);
    await until(text, async () => (await bus.stats()).deadLetters === before + index + 1);
  }
}

/** Makes a dead letter of a turn in which `name` says `text`. */
export async function loseTurn(bus: MessageBus, name: string, text: string): Promise<void> {
  const before = (await bus.stats()).deadLetters;
  const message = { channel: 'telegram', chat: { id: '1' }, sender: { name }, sentAt: 1_000, text };
  await bus.publish(newInput(newThreadId(), { message }));
  await until(text, async () => (await bus.stats()).deadLetters === before + 1);
}
