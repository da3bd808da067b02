import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { telegram } from '../../../channels/telegram/index.ts';
import type { Clock } from '../../base/clock.ts';
import { type ImUserKey, imUserKey } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { createEmbeddedBus } from '../../bus/embedded/index.ts';
import type { NewDelivery } from '../../bus/port.ts';
import type { ChannelBook, ChannelEntry, ChannelSettings } from '../../channel/book.ts';
import type { InboundMessage } from '../../channel/message.ts';
import type { Manifest } from '../../channel/port.ts';
import { openStore } from '../../store/index.ts';
import { type Actor, createTaskDesk, type TaskWish } from '../desk.ts';
import type { DigestTime } from '../digest.ts';
import { lookAfterTasks } from '../keeper.ts';

const HOUR_MS = 3_600_000;

/** One bot on Telegram, of which what its platform can do is the truth. */
const channels: ChannelBook = new Map<string, ChannelEntry>([
  ['telegram', { settings: { name: 'telegram', resendForMs: 0 } as ChannelSettings, manifest: telegram as Manifest }],
]);

export const personKey = (user: string): ImUserKey => imUserKey({ channelType: 'telegram', tenant: '', user });

export const member = (user: string): Actor => ({ key: personKey(user), role: 'member' });

/** What Ann says in the group `-5`. */
export const said = (id: string, text: string): InboundMessage => ({
  ...{ channel: 'telegram', channelType: 'telegram', tenant: '', chat: { id: '-5', kind: 'group', title: 'Team' }, id },
  ...{ kind: 'message', sender: { id: 'ann', name: 'Ann', isBot: false }, sentAt: 0, text },
  ...{ addressed: 'mention', mentions: [], files: [] },
});

export const wish = (id: string, more: Partial<TaskWish> = {}): TaskWish => ({
  ...{ origin: id, message: said(id, `Do ${id}`), role: 'member', language: 'en', assistant: 'lead' },
  ...more,
});

/** A desk on a real bus and database, whose clock stands until it is turned. */
export async function openDesk(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'antler-tasks-'));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  const bus = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger });
  t.after(async () => {
    await bus.close({ graceMs: 0 });
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let now = 1_700_000_000_000;
  const clock: Clock = { now: () => now, sleep: async () => {} };
  const begun: { readonly task: string; readonly text: string; readonly key: string }[] = [];
  const shown: NewDelivery[] = [];
  const outbox = {
    ...bus.outbox,
    enqueue: async (deliveries: readonly NewDelivery[]): Promise<void> => {
      shown.push(...deliveries.filter(({ id }) => shown.every((other) => other.id !== id)));
    },
  };
  const desk = createTaskDesk({
    store,
    bus: { outbox, cancel: (thread, reason) => bus.cancel(thread, reason) },
    channels,
    publish: async (task, message, _role, key) => {
      begun.push({ task: task.id, text: message.text, key });
    },
    limits: { perPerson: 3, perChat: 4 },
    maxHops: 2,
    clock,
    log: silentLogger,
  });
  return {
    desk,
    store,
    begun,
    /** What goes out, each id once. */
    shown,
    later: (hours: number): void => {
      now += hours * HOUR_MS;
    },
    lookAfter: (digest?: DigestTime) =>
      lookAfterTasks({
        ...(digest === undefined ? {} : { digest }),
        ...{ store, desk, channels, clock, log: silentLogger, remindMs: 24 * HOUR_MS, expireMs: 72 * HOUR_MS },
        bus: { outbox, threadState: (thread) => bus.threadState(thread) },
      }),
  };
}
