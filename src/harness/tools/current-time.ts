import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { isTimeZone, writeMoment } from '../time.ts';
import { defineTool } from './port.ts';

export const currentTime = defineTool({
  name: 'current_time',
  description:
    'The date, weekday and time right now, in the time zone of the person who asks or in another one. Use it whenever an answer depends on the exact time or on the time elsewhere.',
  input: z.object({
    time_zone: z
      .string()
      .optional()
      .describe("IANA name, e.g. Europe/Berlin. Left out: the asking person's own time zone."),
  }),
  trust: 'local',
  run: ({ time_zone: asked }, { run, clock }) => {
    const zone = asked === undefined || asked.trim() === '' ? run.timeZone : asked.trim();
    if (zone !== run.timeZone && !isTimeZone(zone))
      throw new AntlerError('bad_input', `there is no time zone of this name; use an IANA name such as Asia/Tokyo`);
    return writeMoment(clock.now(), zone);
  },
});
