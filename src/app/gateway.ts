import type { Secrets } from '../admin/secrets.ts';
import { imUserKey } from '../base/ids.ts';
import type { Budgets } from '../budgets/port.ts';
import { startUsageSweep } from '../budgets/sweep.ts';
import type { Working } from '../bus/port.ts';
import type { ChannelEntry } from '../channel/book.ts';
import type { Adapter, AdapterContext, ChannelState } from '../channel/port.ts';
import { type Supervised, supervise } from '../channel/supervisor.ts';
import { webhookUrl } from '../channel/webhook-url.ts';
import { createSender } from '../delivery/sender.ts';
import { createFetcher } from '../files/fetcher.ts';
import { hostedFiles } from '../files/hosted-files.ts';
import { startSweep } from '../files/sweep.ts';
import { isBusyAt, stopAt } from '../intake/conversation.ts';
import { createEarlier } from '../intake/earlier.ts';
import { createIntake } from '../intake/intake.ts';
import { startOverheardSweep } from '../intake/overheard-sweep.ts';
import { placeAt } from '../intake/place.ts';
import { wishesOf } from '../routing/route.ts';
import type { AssistantBook } from './assistants.ts';
import { usageHandler } from './budgets.ts';
import { channelBook } from './channels.ts';
import { type Connections, createConnections } from './connections.ts';
import { memoryHandler, memoryOf } from './memory.ts';
import { createPeopleDesk, type PeopleDesk } from './people.ts';
import { movesOf } from './people-desk.ts';
import type { Rooms } from './rooms.ts';
import { routerOf } from './routing.ts';
import { scheduleDeskOf, scheduleHandlers, startSchedules } from './schedules.ts';
import { sealedState } from './sealed-state.ts';
import { startTaskKeeper, taskConcern, taskDeskOf, taskHandlers, taskMessages } from './tasks.ts';

/** The gateway's role: the channels, intake and delivery. */
export interface Gateway {
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly connections: Connections;
  readonly desk: PeopleDesk;
  /** Takes nothing in any more. What is still to be sent goes on until the bus is closed. */
  hangUp(): Promise<void>;
}

/** Deliveries at once, over all chats. */
const SENDERS = 32;
const SEND_LEASE_MS = 90_000;
/** How long a connection stays ours without a sign of life. */
const CONNECTION_LEASE_MS = 6_000;
const MB = 1_000_000;

export async function startGateway(
  rooms: Rooms,
  assistants: AssistantBook,
  secrets: Secrets,
  budgets: Pick<Budgets, 'usageText'>,
): Promise<Gateway> {
  const { bus, store, clock, config } = rooms;
  const log = rooms.log.child({ role: 'gateway' });
  const channels = channelBook(config);
  const adapters = new Map<string, Adapter>();
  const connections = createConnections(bus, [...channels.keys()]);
  const maxFileBytes = config.files.max_in_mb * MB;
  const fetcher = createFetcher({
    bus,
    files: store.files,
    channels,
    adapter: (channel) => adapters.get(channel),
    maxBytes: maxFileBytes,
    log,
    clock,
  });
  const tasks = taskDeskOf({ ...rooms, log });
  const sweeps = [
    startTaskKeeper({ ...rooms, log }, tasks),
    startSweep({ claims: bus.claims, files: store.files, keepDays: config.files.keep_days, log, clock }),
    startOverheardSweep({ claims: bus.claims, overheard: store.overheard, log, clock }),
    startUsageSweep({ claims: bus.claims, usage: store.usage, keepDays: config.budgets.keep_days, log, clock }),
  ];
  const desk = createPeopleDesk(rooms, channels, (channel) => adapters.get(channel), movesOf(store));
  const schedules = scheduleDeskOf(rooms);
  const timeZone = (assistant: string): string => config.assistants[assistant]?.time_zone ?? 'UTC';
  const accept = createIntake({
    bus,
    store,
    channels,
    ...desk,
    router: routerOf(config),
    earlier: createEarlier({ threads: store.threads, adapter: (channel) => adapters.get(channel), log }),
    more: {
      memory: memoryHandler(memoryOf(rooms)),
      usage: usageHandler(budgets, timeZone),
      ...taskHandlers(tasks),
      ...scheduleHandlers(schedules, timeZone),
    },
    concern: taskConcern(tasks, rooms),
    timeZone,
    describeAssistant: (route) => assistants.describe(route.assistantId?.value ?? '', wishesOf(route)),
    admitted: (message, thread) => fetcher.prefetch(message, thread),
    language: config.language ?? 'en',
    log,
    clock,
  });

  sweeps.push(startSchedules({ ...rooms, log }, accept));

  const stateOf = (channel: string): ChannelState => ({
    get: (key) => store.channelState.get(channel, key),
    set: (key, value) => store.channelState.set(channel, key, value),
  });

  const contextOf = (entry: ChannelEntry): AdapterContext<unknown> => {
    const channel = entry.settings.name;
    return {
      channel,
      config: config.channels[channel]?.settings,
      log: log.child({ channel }),
      clock,
      accept,
      state: stateOf(channel),
      secrets: sealedState(stateOf(channel), channel, secrets),
      hosted: store.hosted(channel),
      hostedFiles: hostedFiles({
        files: store.files,
        channel,
        maxBytes: Math.min(maxFileBytes, entry.manifest.capabilities.maxFileInBytes),
        place: async (chat, user) => ({
          thread: (await store.threads.open(placeAt({ chat, chatKind: 'dm' }, user, entry.settings))).id,
          owner: imUserKey({ channelType: entry.manifest.type, tenant: '', user }),
        }),
        clock,
      }),
      broadcast: {
        publish: (topic, data) => bus.broadcast(topic, data),
        subscribe: (topic, to) => bus.subscribe(topic, to),
      },
      report: (status) => connections.report(channel, status),
      ...webhookOf(config.server.public_url, channel),
      stopRun: (target, user) => stopAt({ bus, store }, placeAt(target, user, entry.settings)),
      isBusy: (target, user) => isBusyAt({ bus, store }, placeAt(target, user, entry.settings)),
    };
  };

  for (const [name, entry] of channels) adapters.set(name, await entry.manifest.create(contextOf(entry)));
  const sender = createSender({
    adapter: (channel) => adapters.get(channel),
    channels,
    content: (id) => store.files.read(id),
    log,
    clock,
    lateMs: config.delivery.late_after_minutes * 60_000,
    enqueue: (notes) => bus.outbox.enqueue(notes),
    onSent: taskMessages({ store, log }),
  });
  const sendFor = (names: readonly string[]): Promise<Working> =>
    bus.outbox.send(names, sender.send, {
      concurrency: SENDERS,
      leaseMs: SEND_LEASE_MS,
      onDoubt: sender.onDoubt,
    });
  const isBound = ([name, { manifest }]: readonly [string, ChannelEntry]): boolean =>
    manifest.sendsThroughConnection?.(config.channels[name]?.settings) === true;
  const free = [...channels].filter((channel) => !isBound(channel)).map(([name]) => name);
  if (free.length > 0) await sendFor(free);
  const supervised: Supervised[] = [...channels].flatMap(([name, entry]) => {
    const adapter = adapters.get(name);
    if (adapter === undefined) return [];
    const exclusive = entry.manifest.exclusive(config.channels[name]?.settings);
    return supervise({
      channel: name,
      adapter,
      ...(exclusive ? { acquire: () => bus.leases.acquire(`connection/${name}`, CONNECTION_LEASE_MS) } : {}),
      ...(isBound([name, entry]) ? { whileHeld: () => sendFor([name]) } : {}),
      report: (status) => connections.report(name, status),
      log,
      clock,
    });
  });

  return {
    adapters,
    connections,
    desk,
    hangUp: async () => {
      await Promise.all(supervised.map((one) => one.stop()));
      connections.stop();
      await Promise.all([fetcher, ...sweeps].map((one) => one.stop()));
    },
  };
}

const webhookOf = (publicUrl: string | undefined, channel: string): { readonly webhookUrl?: string } =>
  publicUrl === undefined ? {} : { webhookUrl: webhookUrl(publicUrl, channel) };
