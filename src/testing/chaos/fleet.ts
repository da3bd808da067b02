import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTests } from '../services.ts';
import { Member } from './member.ts';
import { RestartableRedis } from './restartable-redis.ts';

/** A whole installation as real processes, on a Redis and a database of its own. */
export interface Fleet {
  readonly redis: RestartableRedis;
  readonly members: readonly Member[];
  /** Holds the configuration and what each member printed. */
  readonly folder: string;
  stop(): Promise<void>;
}

export async function startFleet(
  config: object,
  size: { gateways: number; workers: number; supervised: number },
): Promise<Fleet> {
  const [redis, postgres] = await Promise.all([RestartableRedis.start(), postgresForTests()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-chaos-'));
  // JSON is YAML.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config, null, 2));
  const env = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, ANTLER_DATA_DIR: folder };
  const members = [
    ...Array.from({ length: size.gateways }, (_, n) => new Member('gateway', `gateway-${n}`, 1, folder, env)),
    ...Array.from({ length: size.workers }, (_, n) => new Member('worker', `worker-${n}`, 1, folder, env)),
    ...(size.supervised > 0 ? [new Member('crew', 'crew', size.supervised, folder, env)] : []),
  ];
  for (const member of members) member.start();
  return {
    redis,
    members,
    folder,
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
}

/** What the members printed is of use only when something went wrong. */
export function discardLogs(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
