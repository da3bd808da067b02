import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { createRedisBus } from '../../bus/redis/index.ts';
import { openStore } from '../../store/index.ts';
import { createFetcher } from '../fetcher.ts';
import { channels, fetching } from './kit.ts';

/** A gateway process whose platform never answers. It tells its parent `ready`, and `fetching` once it waits. */
const { url, file, leaseMs } = JSON.parse(process.argv[2] ?? '{}') as { url: string; file: string; leaseMs: number };
const bus = await createRedisBus({ url, log: silentLogger });
const store = await openStore({ file, log: silentLogger });
const adapter = fetching(() => {
  process.send?.('fetching');
  return new Promise(() => {});
});
createFetcher({
  bus,
  files: store.files,
  channels,
  adapter: () => adapter,
  maxBytes: 1_000_000,
  log: silentLogger,
  clock: systemClock,
  leaseMs,
});
await bus.check();
process.send?.('ready');
