import { createBusOperator } from '../admin/bus-operator.ts';
import type { Connection, Operator, Overview } from '../admin/operator.ts';
import { AntlerError } from '../base/errors.ts';
import { type OperateOptions, runOperate } from '../cli/operate/operate.ts';
import type { Config } from '../config/schema/config.ts';
import { scrub } from '../telemetry/scrub.ts';
import { channelBook } from './channels.ts';
import { addressOf, answersAt, ownerApi } from './owner-api.ts';
import { createRemoteOperator } from './remote-operator.ts';
import { openBus } from './rooms.ts';
import type { Surroundings } from './surroundings.ts';

/** `antler channels …`, `antler dead-letters …`: by the Antler that runs here, else on the bus itself. */
export async function operate(
  config: Config,
  asked: Pick<OperateOptions, 'command' | 'operand' | 'limit' | 'json'>,
  around: Surroundings,
): Promise<void> {
  const { print } = around;
  const running = await runningOperator(config, around);
  if (running !== null) return runOperate({ ...asked, operator: running, print });
  const bus = await openBus(config, around.log).catch((error: unknown) => {
    throw withPlace(error, addressOf(config));
  });
  const channels = new Map<string, Connection>(
    [...channelBook(config).keys()].map((name) => [name, { state: 'unknown' }]),
  );
  try {
    const operator = createBusOperator({ bus, channels: () => channels, scrub, log: around.log });
    await runOperate({ ...asked, operator, print });
  } finally {
    await bus.close({ graceMs: 0 });
  }
}

/** What the Antler that runs at the configured address says; rejects when none does, or when it refuses. */
export async function askRunning(config: Config, around: Pick<Surroundings, 'env'>): Promise<Overview> {
  const running = await runningOperator(config, around);
  if (running === null) throw new AntlerError('unavailable', `No Antler answers at ${addressOf(config)}.`);
  return running.overview();
}

async function runningOperator(config: Config, { env }: Pick<Surroundings, 'env'>): Promise<Operator | null> {
  const url = addressOf(config);
  if (!(await answersAt(url))) return null;
  return createRemoteOperator(ownerApi(url, env.ANTLER_OWNER_TOKEN ?? config.server.owner_token));
}

/** Whoever holds the embedded bus must be asked, and it is not where it was looked for. */
export function withPlace(error: unknown, url: string): unknown {
  if (!(error instanceof AntlerError) || error.code !== 'conflict') return error;
  const hint = `If that is Antler, say with --host and --port where it is: it was looked for at ${url}.`;
  return new AntlerError('conflict', `${error.message.replace(/\.$/, '')}. ${hint}`, { cause: error });
}
