import { type Clock, systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { type ProposalsOptions, runProposals } from '../cli/proposals.ts';
import type { Config } from '../config/schema/config.ts';
import { createProposalDesk } from '../harness/proposals/desk.ts';
import type { ProposalDesk } from '../harness/proposals/port.ts';
import type { SkillShelf } from '../harness/skills/port.ts';
import type { Store } from '../store/port.ts';
import { openDatabase } from './rooms.ts';
import { shelfOf } from './skills.ts';
import { SoulFiles } from './soul.ts';
import type { Surroundings } from './surroundings.ts';

/** What assistants propose, in the database; approved skills go to where custom skills lie on this machine. */
export function proposalDesk(
  config: Pick<Config, 'assistants' | 'skills'>,
  store: Pick<Store, 'proposals'>,
  shelf: SkillShelf,
  clock: Pick<Clock, 'now'>,
  souls = new SoulFiles(),
): ProposalDesk {
  return createProposalDesk({
    records: store.proposals,
    shelf,
    custom: config.skills.custom_dir,
    configuredSoul: async (assistant) => {
      const entry = config.assistants[assistant];
      if (entry === undefined) throw new AntlerError('not_found', `There is no assistant named ${assistant} any more.`);
      return souls.of(entry);
    },
    clock,
  });
}

/** `antler proposals …`: in the database itself, whether Antler runs or not. */
export async function proposals(
  config: Config,
  asked: Pick<ProposalsOptions, 'command' | 'operand' | 'force' | 'json'>,
  { log, print }: Surroundings,
): Promise<void> {
  const store = await openDatabase(config, log);
  try {
    const desk = proposalDesk(config, store, shelfOf(config, systemClock, log), systemClock);
    await runProposals({ ...asked, desk, print });
  } finally {
    await store.close();
  }
}
