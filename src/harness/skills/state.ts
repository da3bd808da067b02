import { z } from 'zod';

/** Under which the log keeps what skills a conversation uses. */
export const SKILLS = 'skills';
const MAX_USED = 8;
/** More at once than anybody means. */
const MAX_ACTIVE = 8;

const activeSchema = z.object({ name: z.string(), by: z.enum(['person', 'model']) });
const stateSchema = z.object({
  /** In which they were taken up. */
  turn: z.string(),
  active: z.array(activeSchema),
  /** The turn ended with a question: its answer goes on with the same skills. */
  asked: z.boolean(),
  /** Of the whole conversation, the last ones, newest last. */
  used: z.array(z.string()),
});

export type ActiveSkill = Readonly<z.output<typeof activeSchema>>;
export type SkillState = Readonly<z.output<typeof stateSchema>>;

const NOTHING: SkillState = { turn: '', active: [], asked: false, used: [] };

/** What {@link SKILLS} holds. */
export const readSkills = (kept: unknown): SkillState => stateSchema.safeParse(kept).data ?? NOTHING;

/** Those that are in use in this turn. */
export const activeIn = ({ turn, active }: SkillState, now: string): readonly ActiveSkill[] =>
  turn === now ? active : [];

/** At the start of a turn: what goes on, which is all when it is the same turn again. */
export function atStart(state: SkillState, turn: string): SkillState {
  if (state.turn === turn) return state;
  return { turn, active: state.asked ? state.active : [], asked: false, used: state.used };
}

/** A person calls for a skill: it takes the place of those in use. */
export const called = (state: SkillState, turn: string, name: string): SkillState =>
  withUsed({ turn, active: [{ name, by: 'person' }], asked: false, used: state.used }, name);

/** The model takes one up besides those in use. */
export function loaded(state: SkillState, turn: string, name: string): SkillState {
  const active = activeIn(state, turn);
  if (active.some((one) => one.name === name)) return state;
  const next = [...active, { name, by: 'model' as const }];
  return withUsed({ turn, active: next.slice(0, MAX_ACTIVE), asked: false, used: state.used }, name);
}

const withUsed = (state: SkillState, name: string): SkillState => ({
  ...state,
  used: [...state.used.filter((one) => one !== name), name].slice(-MAX_USED),
});
