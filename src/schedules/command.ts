import { AntlerError } from '../base/errors.ts';
import { type Language, say } from '../base/sentences.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { ScheduleAsker, ScheduleChange, ScheduleDesk } from './desk.ts';
import type { Schedule, When } from './port.ts';
import { type ReadWhen, readAt, readEvery } from './when.ts';

export interface ScheduleScene {
  readonly desk: ScheduleDesk;
  readonly message: InboundMessage;
  readonly asker: ScheduleAsker;
  readonly language: Language;
  /** IANA name: in it times are meant and told. */
  readonly timeZone: string;
  readonly now: number;
}

/** `/at TIME WHAT`. */
export const atCommand = (scene: ScheduleScene, args: string): Promise<string> =>
  add(scene, readAt(args, scene.timeZone, scene.now), 'at_usage');

/** `/every WHEN WHAT`. */
export async function everyCommand(scene: ScheduleScene, args: string): Promise<string> {
  try {
    return await add(scene, readEvery(args, scene.timeZone), 'every_usage');
  } catch (error) {
    if (error instanceof AntlerError && error.code === 'bad_input') return say(scene.language, 'every_usage');
    throw error;
  }
}

async function add(
  { desk, message, language, timeZone }: ScheduleScene,
  read: ReadWhen | null,
  usage: 'at_usage' | 'every_usage',
): Promise<string> {
  if (read === null || read.rest === '') return say(language, usage);
  const made = await desk.add({ message, what: read.rest, when: read.when, language });
  if ('refused' in made) return say(language, made.refused === 'over' ? usage : 'schedules_full');
  const { nextAt } = made.schedule;
  return say(language, 'scheduled', {
    when: momentIn(nextAt ?? 0, language, timeZone),
    what: made.schedule.message.text,
  });
}

const CHANGES: Readonly<Record<string, ScheduleChange>> = {
  pause: 'pause',
  暂停: 'pause',
  resume: 'resume',
  恢复: 'resume',
  remove: 'remove',
  delete: 'remove',
  删除: 'remove',
};

/** `/schedules`, `/schedules pause|resume|remove N`. */
export async function schedulesCommand(scene: ScheduleScene, args: string): Promise<string> {
  const { desk, asker, language, message } = scene;
  const [word = '', number = ''] = args.split(/\s+/);
  const change = CHANGES[word.toLowerCase()];
  if (args !== '' && (change === undefined || !/^\d{1,3}$/.test(number))) return say(language, 'schedules_usage');
  if (change !== undefined) {
    const changed = await desk.change(asker, message.chat.kind, Number(number), change);
    if (changed === null) return say(language, 'schedules_unknown');
    if (changed === 'not_yours') return say(language, 'schedules_not_yours');
    return say(language, `schedules_${change}d`, { what: changed.message.text });
  }
  const schedules = await desk.list(asker, message.chat.kind);
  if (schedules.length === 0) return say(language, 'schedules_none');
  const lines = schedules.map((schedule, index) => `${index + 1}. ${lineOf(schedule, scene)}`);
  return `${say(language, 'schedules')}\n\n${lines.join('\n')}`;
}

function lineOf({ when, message, nextAt, state, why }: Schedule, { language, timeZone }: ScheduleScene): string {
  const due =
    state === 'active' && nextAt !== null ? momentIn(nextAt, language, timeZone) : say(language, `schedule_${state}`);
  return [due, message.text, ...(when.kind === 'cron' ? [rhythmOf(when)] : []), ...(why === null ? [] : [why])].join(
    ' · ',
  );
}

/** Cron is exact, and short; what it means stands beside it, as the next moment. */
const rhythmOf = ({ cron, timeZone }: Extract<When, { kind: 'cron' }>): string => `\`${cron}\` ${timeZone}`;

const momentIn = (at: number, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone,
    dateStyle: 'full',
    timeStyle: 'short',
  }).format(at);
