import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createPeopleDesk, type PeopleDesk } from '../../app/people.ts';
import type { Rooms } from '../../app/rooms.ts';
import { routerOf } from '../../app/routing.ts';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { createEmbeddedBus } from '../../bus/embedded/index.ts';
import type { MessageBus } from '../../bus/port.ts';
import type { AccessPolicy, ChannelBook, ChannelSettings } from '../../channel/book.ts';
import { loaded, withFile } from '../../config/testing/loading.ts';
import { folderFor, channels as played } from '../../files/testing/kit.ts';
import { openStore } from '../../store/index.ts';
import type { Store } from '../../store/port.ts';
import { createIntake, type Intake, type IntakeOptions } from '../intake.ts';

/** Of the channel `chat`: `u1` may speak, also in group `g1`. */
const access: AccessPolicy = {
  dm: 'allowlist',
  allowUsers: ['u1'],
  admins: [],
  groups: 'allowlist',
  allowGroups: ['g1'],
  requireMention: true,
  answerAll: false,
  role: 'member',
  bots: null,
};

export interface Desk extends PeopleDesk {
  readonly accept: Intake;
  readonly bus: MessageBus;
  readonly store: Store;
  readonly channels: ChannelBook;
}

/** An intake on a bus and a database of its own, which end with the test. */
export async function openIntake(
  t: TestContext,
  options: Partial<IntakeOptions> = {},
  { yaml = '', ...changed }: Partial<ChannelSettings> & { readonly yaml?: string } = {},
): Promise<Desk> {
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
      const reset = { idleMs: null, dailyAtMinute: null };
      const hearing = { groupScope: 'chat', earlier: 'topic', overhear: 0 } as const;
      const rest = { ...hearing, assistantId: 'lead', busy: 'collect', resendForMs: 0 } as const;
      const settings = { name, access, quiet, reset, chats: new Map(), ...rest };
      return [name, { ...entry, settings: { ...settings, ...changed } }];
    }),
  );
  const config = loaded(withFile(yaml));
  const rooms: Rooms = { bus, store, config, log: silentLogger, clock: systemClock };
  const desk = createPeopleDesk(rooms, channels, () => undefined, nothingMoves);
  const accept = createIntake({
    ...rooms,
    ...desk,
    channels,
    router: routerOf(config),
    more: {},
    timeZone: () => 'UTC',
    earlier: async () => [],
    describeAssistant: async (route) => ({ assistant: route.assistantId?.value ?? 'nobody', model: null }),
    admitted: () => {},
    language: 'en',
    ...options,
  });
  return { accept, bus, store, channels, ...desk };
}

const nothingMoves = { merged: async () => {}, split: async () => {} };
