import { after } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import { postgresForTests } from '../testing/services.ts';
import { storeContract } from './contract.ts';
import { openStore } from './index.ts';

const server = await postgresForTests();
after(() => server.stop());

storeContract('a store on PostgreSQL', async () => ({
  open: () => openStore({ url: server.url, log: silentLogger }),
  histories: 25,
}));
