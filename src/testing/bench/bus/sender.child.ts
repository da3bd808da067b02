import { silentLogger } from '../../../base/logger.ts';
import type { Outgoing, SendOutcome } from '../../../bus/port.ts';
import { createRedisBus } from '../../../bus/redis/index.ts';

/** A process that sends what the outbox gives out to the strict platform. */
const { url, prefix, platform } = JSON.parse(process.argv[2] ?? '{}') as Record<'url' | 'prefix' | 'platform', string>;

async function send(outgoing: Outgoing): Promise<SendOutcome> {
  if (outgoing.kind === 'draft') return { kind: 'sent' };
  const { target, document } = outgoing.delivery;
  const response = await fetch(`${platform}/${target.chat}/${document.markdown}`, { method: 'POST' });
  const body = (await response.json()) as { readonly retryAfterMs?: number };
  return response.ok ? { kind: 'sent' } : { kind: 'retry', delayMs: body.retryAfterMs ?? 100, error: 'too fast' };
}

const bus = await createRedisBus({ url, prefix, log: silentLogger });
await bus.outbox.send(['bench'], send, { concurrency: 16, leaseMs: 10_000 });
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
