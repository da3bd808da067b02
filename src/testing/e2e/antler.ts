import type { TestContext } from 'node:test';
import { type Antler, startAntler } from '../../app/antler.ts';
import { manifests } from '../../app/channels.ts';
import { silentLogger } from '../../base/logger.ts';
import { loadConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/config.ts';

/** The environment that connects an Antler to a scripted model and keeps its data in `folder`, on any free port. */
export const environmentFor = (model: { readonly url: string }, folder: string) => ({
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'sk-test-0123456789',
  OPENAI_MODEL: 'test-model',
  ANTLER_DATA_DIR: folder,
  ANTLER_PORT: '0',
});

/** What an environment, and a `config.yaml` in `folder` if there is one, amount to. */
export function configFor(env: Readonly<Record<string, string>>, folder: string): Config {
  const loaded = loadConfig({ env, manifests, cwd: folder });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ text }) => text).join('\n'));
  return loaded.config;
}

/** Antler in this process, with all roles unless told otherwise; stopped after the test. */
export async function startHere(
  t: TestContext,
  config: Config,
  {
    roles = { gateway: true, worker: true },
    secretKey,
  }: Partial<Pick<Parameters<typeof startAntler>[0], 'roles' | 'secretKey'>> = {},
): Promise<Antler> {
  const antler = await startAntler({ config, roles, log: silentLogger, secretKey });
  t.after(() => antler.stop(1_000));
  return antler;
}
