import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { defineTool, type Tool, type ToolSource } from '../tools/port.ts';
import type { Scheduler } from './port.ts';

/** The tools by which an assistant does something later, or again and again. */
export const scheduleSource: ToolSource = {
  name: 'schedules',
  tools: async ({ tools }, { schedules }) =>
    schedules === undefined
      ? []
      : toolsOf(schedules).filter(({ name }) => tools.includes('all') || tools.includes(name)),
};

const toolsOf = (schedules: Scheduler): readonly Tool[] => [
  defineTool({
    name: 'schedule',
    description:
      'Has something done later, once or again and again: at that time you are asked for it here, as if the person had said it. For reminders, reports, look-ups. Tell the person when it will be.',
    input: z.object({
      what: z
        .string()
        .trim()
        .min(1)
        .max(4_000)
        .describe(
          'What the person would say to you at that time, with all that has to be known, e.g. "Remind me to call Ann".',
        ),
      at: z.iso.datetime({ offset: true }).optional().describe('Once: the moment, e.g. 2030-01-31T18:00:00+08:00.'),
      cron: z
        .string()
        .trim()
        .max(100)
        .optional()
        .describe(
          'Again and again: a cron expression of five fields in the time zone of the context, e.g. "0 9 * * 1-5".',
        ),
    }),
    trust: 'local',
    forPeople: true,
    run: ({ what, at, cron }, { idempotencyKey: key }) => {
      if ((at === undefined) === (cron === undefined))
        throw new AntlerError('bad_input', 'say when: either "at" or "cron"');
      return schedules.schedule({
        ...{ what, key },
        ...(at === undefined ? {} : { at: Date.parse(at) }),
        ...(cron === undefined ? {} : { cron }),
      });
    },
  }),
  defineTool({
    name: 'list_schedules',
    description: 'Lists what is scheduled here, with numbers.',
    input: z.object({}),
    trust: 'local',
    forPeople: true,
    run: () => schedules.list(),
  }),
  defineTool({
    name: 'remove_schedule',
    description: 'Takes something off the schedule, by the number that list_schedules shows.',
    input: z.object({ number: z.int().min(1).max(999) }),
    trust: 'local',
    forPeople: true,
    run: ({ number }) => schedules.remove(number),
  }),
];
