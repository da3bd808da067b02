import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../base/logger.ts';
import { busContract } from '../contract/suite.ts';
import type { MessageBus } from '../port.ts';
import { createEmbeddedBus } from './index.ts';

busContract('embedded', async (t, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bus-'));
  const opened: MessageBus[] = [];
  const openBus = async (): Promise<MessageBus> => {
    const bus = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger, ...settings });
    opened.push(bus);
    return bus;
  };
  t.after(async () => {
    for (const bus of opened) await bus.close({ graceMs: 0 });
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    bus: await openBus(),
    reopen: async () => {
      await opened.at(-1)?.close();
      return openBus();
    },
  };
});
