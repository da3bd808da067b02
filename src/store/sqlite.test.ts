import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { storeContract } from './contract.ts';
import { openStore } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'antler-store-'));
after(() => rmSync(folder, { recursive: true, force: true }));

storeContract('a store on SQLite', async () => ({
  open: () => openStore({ file: join(folder, 'data', 'antler.db'), log: silentLogger }),
  histories: 100,
}));
