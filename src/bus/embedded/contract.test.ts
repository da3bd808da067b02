import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../base/logger.ts';
import { busContract } from '../contract/suite.ts';
import type { MessageBus } from '../port.ts';
import { createEmbeddedBus } from './index.ts';

busContract('embedded', async (t, settings) => {
  const opened: MessageBus[] = [];
  let folder = mkdtempSync(join(tmpdir(), 'antler-bus-'));
  const folders = [folder];
  const openBus = async (): Promise<MessageBus> => {
    const bus = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger, ...settings });
    opened.push(bus);
    return bus;
  };
  t.after(async () => {
    await Promise.all(opened.map((bus) => bus.close({ graceMs: 0 })));
    for (const one of folders) rmSync(one, { recursive: true, force: true });
  });
  return {
    bus: await openBus(),
    reopen: async () => {
      await opened.at(-1)?.close();
      return openBus();
    },
    // A process that dies leaves its files as they are at that moment: the next one gets a copy of them.
    crash: async () => {
      const copy = mkdtempSync(join(tmpdir(), 'antler-bus-'));
      folders.push(copy);
      cpSync(folder, copy, { recursive: true });
      folder = copy;
      return openBus();
    },
  };
});
