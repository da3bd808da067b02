import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { defineTool, type Tool, type ToolSource } from '../tools/port.ts';
import type { Delegation } from './port.ts';

export const DELEGATE_TASK = 'delegate_task';

/** The tool by which an assistant takes work on as a task, where the run has somewhere to hand it. */
export const delegationSource: ToolSource = {
  name: 'delegation',
  tools: async ({ tools }, { delegation }) =>
    delegation !== undefined && (tools.includes('all') || tools.includes(DELEGATE_TASK))
      ? [delegateTask(delegation)]
      : [],
};

function delegateTask(delegation: Delegation): Tool {
  const others =
    delegation.assistants.length === 0
      ? ''
      : ` the name of another assistant (${delegation.assistants.join(', ')}), or`;
  return defineTool({
    name: DELEGATE_TASK,
    description:
      'Makes a task that is worked on apart from this conversation, so that people can talk on: they see a card with its state, and the result comes as a reply to whom asked. Use it when somebody delegates work that takes many steps or long, or is for somebody else to do; answer simple things yourself. Do not wait for the result.',
    input: z.object({
      title: z.string().trim().min(1).max(120).describe('In a few words, in the language of the person.'),
      text: z
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .describe(
          'What is to be done, with all that has to be known: whoever does it sees the message that was answered with its quote and files, and nothing else of this conversation.',
        ),
      to: z
        .string()
        .trim()
        .min(1)
        .max(120)
        .optional()
        .describe(
          `Whose task it is:${others} the name of a person here, if they are to do it themselves. Left out: yours.`,
        ),
      deadline: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('Only when somebody named one, e.g. 2030-01-31T18:00:00+08:00.'),
      confirm: z
        .boolean()
        .default(false)
        .describe('True when it is not quite clear that this is wanted: then it begins once the person agrees.'),
    }),
    trust: 'local',
    forPeople: true,
    run: ({ title, text, to, deadline, confirm }, { idempotencyKey: key, clock }) => {
      const deadlineAt = deadline === undefined ? undefined : Date.parse(deadline);
      if (deadlineAt !== undefined && deadlineAt <= clock.now())
        throw new AntlerError('bad_input', 'deadline: this is over already');
      return delegation.delegate({
        ...{ title, text, key, isProposal: confirm },
        ...(to === undefined ? {} : { to }),
        ...(deadlineAt === undefined ? {} : { deadlineAt }),
      });
    },
  });
}
