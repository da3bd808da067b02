import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killable, startRedis } from '../services.ts';

/** A Redis that can be killed and comes back where it was, with what its append-only file holds. */
export class RestartableRedis {
  readonly url: string;
  readonly #dir: string;
  #server: Awaited<ReturnType<typeof startRedis>>;

  private constructor(dir: string, server: Awaited<ReturnType<typeof startRedis>>) {
    this.#dir = dir;
    this.#server = server;
    this.url = server.url;
  }

  static async start(): Promise<RestartableRedis> {
    const dir = mkdtempSync(join(tmpdir(), 'antler-chaos-redis-'));
    return new RestartableRedis(dir, await startRedis({ dir, args: killable }));
  }

  /** Away at once, as when its host dies, and back after `awayMs`. */
  async restart(awayMs: number): Promise<void> {
    const { child } = this.#server;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    await sleep(awayMs);
    this.#server = await startRedis({
      dir: this.#dir,
      port: Number(new URL(this.url).port),
      args: killable,
    });
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
