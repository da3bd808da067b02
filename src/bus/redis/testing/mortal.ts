import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort, killable, startRedis } from '../../../testing/services.ts';

/** A Redis that can be killed and started again with what it had written. */
export async function mortalRedis(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'antler-redis-'));
  const port = await freePort();
  let server = await startRedis({ port, dir, args: killable });
  t.after(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    url: server.url,
    kill: async () => {
      const exit = new Promise((resolve) => server.child.once('exit', resolve));
      server.child.kill('SIGKILL');
      await exit;
    },
    start: async () => {
      server = await startRedis({ port, dir, args: killable });
    },
  };
}
