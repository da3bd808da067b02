import { createHash } from 'node:crypto';
import { AntlerError } from '../base/errors.ts';
import type { ScheduleId } from '../base/ids.ts';
import { isAtLeast } from '../base/roles.ts';
import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { Scheduler } from '../harness/schedules/port.ts';
import type { CommandScene, Handler } from '../intake/commands/scene.ts';
import type { Scheduling } from '../runs/turn-handler.ts';
import { startClockwork } from '../schedules/clockwork.ts';
import { atCommand, everyCommand, type ScheduleScene, schedulesCommand } from '../schedules/command.ts';
import { createScheduleDesk, type ScheduleAsker, type ScheduleDesk } from '../schedules/desk.ts';
import type { Rooms } from './rooms.ts';

const MINUTE_MS = 60_000;

export const scheduleDeskOf = ({ config, store, clock }: Pick<Rooms, 'config' | 'store' | 'clock'>): ScheduleDesk =>
  createScheduleDesk({ records: store.schedules, perPerson: config.schedules.per_person, clock });

/** `/at`, `/every` and `/schedules`. */
export function scheduleHandlers(
  desk: ScheduleDesk,
  timeZone: (assistantId: string) => string,
): { readonly at: Handler; readonly every: Handler; readonly schedules: Handler } {
  const sceneOf = ({ message, chat, who, language, route, clock }: CommandScene): ScheduleScene => ({
    desk,
    message,
    asker: { key: who.user.key, role: who.role, channel: message.channel, chat: chat.id },
    language,
    timeZone: timeZone(route.assistantId?.value ?? ''),
    now: clock.now(),
  });
  return {
    at: (scene, args) => atCommand(sceneOf(scene), args),
    every: (scene, args) => everyCommand(sceneOf(scene), args),
    schedules: (scene, args) => schedulesCommand(sceneOf(scene), args),
  };
}

/** What a run schedules is its speaker's. */
export function schedulerOf(desk: ScheduleDesk, { message, role, language, timeZone }: Scheduling): Scheduler {
  const asker: ScheduleAsker = { key: senderKey(message), role, channel: message.channel, chat: message.chat.id };
  const mayOnly = (): void => {
    if (!isAtLeast(role, 'member'))
      throw new AntlerError('forbidden', 'this person may not schedule anything; tell them');
  };
  const told = (at: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(at);
  return {
    async schedule({ what, at, cron, key }) {
      mayOnly();
      const when =
        cron === undefined ? ({ kind: 'once', at: at ?? 0 } as const) : ({ kind: 'cron', cron, timeZone } as const);
      const id = `st_${createHash('sha256').update(key).digest('base64url')}` as ScheduleId;
      const made = await desk.add({ message, what, when, language, id });
      if (!('refused' in made)) return `Scheduled. Due next: ${told(made.schedule.nextAt ?? 0)} (${timeZone}).`;
      throw new AntlerError(
        'bad_input',
        made.refused === 'over'
          ? 'at: this moment is over already'
          : 'this person has as many schedules as they may have',
      );
    },
    async list() {
      const schedules = await desk.list(asker, message.chat.kind);
      if (schedules.length === 0) return 'Nothing is scheduled here.';
      return schedules
        .map(({ message: { text }, nextAt, state }, index) =>
          [`${index + 1}.`, text, nextAt === null ? state : `next: ${told(nextAt)}`, state].join(' | '),
        )
        .join('\n');
    },
    async remove(number) {
      const removed = await desk.change(asker, message.chat.kind, number, 'remove');
      if (removed === null) throw new AntlerError('not_found', `nothing is scheduled under ${number}`);
      if (removed === 'not_yours') throw new AntlerError('forbidden', 'somebody else has scheduled this');
      return `Removed: ${removed.message.text}`;
    },
  };
}

/** The gateway's part: carries out what is due. */
export const startSchedules = (
  { config, store, clock, log }: Pick<Rooms, 'config' | 'store' | 'clock' | 'log'>,
  accept: (message: InboundMessage) => Promise<void>,
): { stop(): Promise<void> } =>
  startClockwork({
    records: store.schedules,
    accept,
    missedMs: config.schedules.missed_minutes * MINUTE_MS,
    log,
    clock,
  });
