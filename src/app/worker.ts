import type { Role } from '../base/roles.ts';
import type { Budgets } from '../budgets/port.ts';
import type { Working } from '../bus/port.ts';
import { createArrivals } from '../files/arrivals.ts';
import type { Harness } from '../harness/port.ts';
import type { Memory } from '../memory/port.ts';
import { shared } from '../people/rights.ts';
import { createTurnHandler } from '../runs/turn-handler.ts';
import { delegation } from '../tasks/delegate.ts';
import type { AssistantBook } from './assistants.ts';
import { channelBook } from './channels.ts';
import type { Rooms } from './rooms.ts';
import { rightsOf, routerOf } from './routing.ts';
import { scheduleDeskOf, schedulerOf } from './schedules.ts';
import { taskDeskOf } from './tasks.ts';

/** Turns at once in one process: they wait for the model, not for the processor. */
const CONCURRENCY = 50;
const LEASE_MS = 5_000;
/** A poisonous turn kills so many workers; a database that restarts, or bad luck with machines, takes fewer. */
const MAX_ATTEMPTS = 5;

/** The worker's role: takes turns from the bus and runs the harness. */
export async function startWorker(
  rooms: Rooms,
  harness: Harness,
  assistants: AssistantBook,
  budgets: Budgets,
  memory: Memory,
  id: string | undefined,
): Promise<Working> {
  const { bus, store, clock, config } = rooms;
  const log = rooms.log.child({ role: 'worker' });
  const rights = rightsOf(config);
  const tasks = taskDeskOf({ ...rooms, log });
  const schedules = scheduleDeskOf(rooms);
  const router = routerOf(config);
  const othersFor = ({ role, assistant }: { readonly role: Role; readonly assistant: string }): readonly string[] =>
    router.assistants(role).filter((name) => name !== assistant);
  const handler = createTurnHandler({
    store,
    harness,
    channels: channelBook(config),
    budgets,
    ...(config.memory.enabled ? { memory } : {}),
    arrivals: createArrivals({ bus, files: store.files, log, clock }),
    assistant: (id, wishes, roles) => assistants.find(id, wishes, shared(rights, roles, 'skills')),
    scheduling: (turn) => schedulerOf(schedules, turn),
    taskEnded: (task) => tasks.ended(task),
    handingOn: (turn) => delegation(tasks, { ...turn, others: othersFor(turn) }),
    log,
    clock,
  });
  return bus.work(handler, {
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    maxAttempts: MAX_ATTEMPTS,
    ...(id === undefined ? {} : { id }),
  });
}
