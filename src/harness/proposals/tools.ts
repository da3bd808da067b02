import { z } from 'zod';
import type { Assistant } from '../port.ts';
import { defineTool, type Tool, type ToolContext, type ToolSource } from '../tools/port.ts';
import type { Wish, WishBox } from './port.ts';

const reason = z.string().trim().min(1).max(1_000).describe('Why, for the owner: who wants it, and what gets better.');

/** The tools by which an assistant proposes changes, for those that may. */
export const proposalSource = (box: WishBox): ToolSource => ({
  name: 'proposals',
  tools: async (assistant) =>
    assistant.proposals === true ? [soulChange(box, assistant), skillChange(box, assistant)] : [],
});

const soulChange = (box: WishBox, { id }: Assistant): Tool =>
  defineTool({
    name: 'propose_soul_change',
    description:
      'Proposes a new soul for yourself: who you are and how you speak. Nothing changes until the owner approves. Only when somebody asks for a lasting change, not for this conversation alone.',
    input: z.object({ soul: z.string().describe('The whole new soul: what stays of the old one as well.'), reason }),
    trust: 'local',
    forPeople: true,
    run: (args, context) =>
      propose(box, context, { kind: 'soul', assistant: id, subject: id, after: args.soul, reason: args.reason }),
  });

const skillChange = (box: WishBox, { id }: Assistant): Tool =>
  defineTool({
    name: 'propose_skill_change',
    description:
      'Proposes a new skill, or a new version of a custom one. Nothing changes until the owner approves. For recurring work whose way somebody has explained.',
    input: z.object({
      name: z.string().trim().min(1).max(64),
      skill_md: z
        .string()
        .describe('The whole SKILL.md: front matter (name, description) between ---, then what to do.'),
      reason,
    }),
    trust: 'local',
    forPeople: true,
    run: (args, context) =>
      propose(box, context, {
        kind: 'skill',
        assistant: id,
        subject: args.name,
        after: args.skill_md,
        reason: args.reason,
      }),
  });

async function propose(
  box: WishBox,
  { run, idempotencyKey }: ToolContext,
  wish: Omit<Wish, 'by' | 'key'>,
): Promise<string> {
  const id = await box.propose({ ...wish, by: run.speaker, key: idempotencyKey });
  return `Proposed as ${id}; nothing has changed yet. Tell the person that the owner decides: antler proposals approve ${id}`;
}
