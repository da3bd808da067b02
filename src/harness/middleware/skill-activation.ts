import { calledFor } from '../skills/activation.ts';
import { listSkills } from '../skills/listing.ts';
import { LOAD_SKILL } from '../skills/names.ts';
import { pickSkills, type Skill } from '../skills/port.ts';
import { type ActiveSkill, activeIn, atStart, called, readSkills, SKILLS } from '../skills/state.ts';
import { headline, written } from '../skills/tools.ts';
import { asData, asName, framed } from '../transcript/frame.ts';
import { coveredIn } from '../transcript/summary.ts';
import { cutMiddle } from '../transcript/text.ts';
import type { MiddlewareKind, Run } from './port.ts';

/**
 * Tells the model what skills there are, and brings in the one that a person calls for: for the whole turn, with the
 * turn's context, and on through the answers to questions that it asks. What a conversation has used is named in later
 * turns, so that the model loads it again where the work goes on; what was loaded in this turn and has been summed up
 * since is shown again.
 */
export const skillActivation: MiddlewareKind = {
  name: 'skill-activation',
  create: ({ skills: shelf } = {}) => {
    if (shelf === undefined) return {};
    let heard = 0;
    const skillsOf = async (run: Run): Promise<readonly Skill[]> =>
      pickSkills(await shelf.contents(), run.request.assistant.skills);
    return {
      beforeRun: async (run) => {
        const skills = await skillsOf(run);
        const before = readSkills(run.state(SKILLS));
        const turn = run.turnId;
        const state = atStart(before, turn);
        if (state.active.length > 0 && state !== before) run.keep(SKILLS, state);
        // In a turn that is run again, what was called for has been heard.
        heard = before.turn === turn ? run.log.length : run.turnStart;
        hear(run, skills, heard);
        heard = run.log.length;
      },
      beforeModel: async (run, draft) => {
        const skills = await skillsOf(run);
        if (skills.length === 0) return draft;
        hear(run, skills, heard);
        heard = run.log.length;
        return {
          ...draft,
          system: `${draft.system}\n\n${listSkills(skills).text}`,
          context: [draft.context, ...contextOf(run, skills)].filter((part) => part !== '').join('\n'),
        };
      },
      afterRun: (run, result) => {
        const state = readSkills(run.state(SKILLS));
        if (result.status === 'asked' && activeIn(state, run.turnId).length > 0)
          run.keep(SKILLS, { ...state, asked: true });
        return result;
      },
    };
  },
};

/** Takes up what was called for in messages from the entry `from` on. */
function hear(run: Run, skills: readonly Skill[], from: number): void {
  const known = (name: string): boolean => skills.some((skill) => skill.name === name);
  for (const entry of run.log.slice(from)) {
    if (entry.kind !== 'user') continue;
    const call = calledFor(entry.text, known);
    if (call?.kind === 'skill') {
      run.keep(SKILLS, called(readSkills(run.state(SKILLS)), run.turnId, call.name));
      run.logger.info({ skill: call.name }, 'a person called for a skill');
    }
    if (call?.kind === 'unknown') run.note(unknownNote(call.name, skills));
  }
}

function unknownNote(name: string, skills: readonly Skill[]): string {
  const names = skills.length === 0 ? 'none' : cutMiddle(skills.map((skill) => skill.name).join(', '), 600);
  const wanted = name === '' ? '/skill came without a name' : `there is no skill "${asName(name)}"`;
  return `${wanted}; there are: ${names}. Tell the person which there are.`;
}

function contextOf(run: Run, skills: readonly Skill[]): string[] {
  const state = readSkills(run.state(SKILLS));
  const active = activeIn(state, run.turnId);
  const shown = active.flatMap((one) => {
    const skill = skills.find(({ name }) => name === one.name);
    if (skill === undefined) return [goneNote(one.name)];
    return one.by === 'model' && isInSight(run, one) ? [] : [shownSkill(skill, one)];
  });
  const earlier = state.used.filter(
    (name) => active.every((one) => one.name !== name) && skills.some((skill) => skill.name === name),
  );
  if (earlier.length === 0) return shown;
  const list = earlier.join(', ');
  return [
    ...shown,
    framed(
      'note',
      `Skills that this conversation has used: ${list}. Load one again by ${LOAD_SKILL} to go on with it.`,
    ),
  ];
}

const shownSkill = (skill: Skill, { by }: ActiveSkill): string =>
  framed('active_skill', asData(written(skill)), {
    name: skill.name,
    by: by === 'person' ? 'called for by the person' : 'loaded by you',
  });

const goneNote = (name: string): string =>
  framed('note', `The skill ${asName(name)} is not there any more. Tell the person that it cannot be gone on with.`);

/** What the model has loaded in this turn stands in the log, unless that part has been summed up. */
function isInSight({ log, turnStart }: Run, { name }: ActiveSkill): boolean {
  const start = Math.max(turnStart, (coveredIn(log)?.until ?? -1) + 1);
  return log.slice(start).some((entry) => entry.kind === 'tool' && entry.text.startsWith(headline(name)));
}
