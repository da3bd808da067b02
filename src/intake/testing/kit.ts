import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { createEmbeddedBus } from '../../bus/embedded/index.ts';
import type { MessageBus } from '../../bus/port.ts';
import type { AccessPolicy, ChannelBook } from '../../channel/book.ts';
import { folderFor, channels as played } from '../../files/testing/kit.ts';
import { openStore } from '../../store/index.ts';
import type { Store } from '../../store/port.ts';
import { createIntake, type Intake, type IntakeOptions } from '../intake.ts';
import { createPairing } from '../pairing.ts';

/** Of the channel `chat`: `u1` may speak, also in group `g1`. */
const access: AccessPolicy = {
  dm: 'allowlist',
  allowUsers: ['u1'],
  admins: [],
  groups: 'allowlist',
  allowGroups: ['g1'],
  requireMention: true,
};

export interface Desk {
  readonly accept: Intake;
  readonly bus: MessageBus;
  readonly store: Store;
  readonly channels: ChannelBook;
}

/** An intake on a bus and a database of its own, which end with the test. */
export async function openIntake(t: TestContext, options: Partial<IntakeOptions> = {}): Promise<Desk> {
  const folder = folderFor(t);
  const bus = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger });
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  t.after(async () => {
    await bus.close({ graceMs: 0 });
    await store.close();
  });
  const channels: ChannelBook = new Map(
    [...played].map(([name, entry]) => {
      const quiet = { whenIdleMs: 0, whenBusyMs: 0, mostMs: 0 };
      const rest = { groupScope: 'chat', assistantId: 'lead', busy: 'collect', quiet, resendForMs: 0 } as const;
      return [name, { ...entry, settings: { name, access, ...rest } }];
    }),
  );
  const shared = { bus, store, channels, log: silentLogger, clock: systemClock };
  const accept = createIntake({
    ...shared,
    pairing: createPairing(shared),
    describeAssistant: async () => ({ assistant: 'lead', model: null }),
    admitted: () => {},
    language: 'en',
    ...options,
  });
  return { accept, bus, store, channels };
}
