/** `public`: it ships with Antler. `custom`: an admin's, which takes the place of a public one of its name. */
export type SkillOrigin = 'public' | 'custom';

/** What the front matter of a `SKILL.md` says. */
export interface SkillManifest {
  readonly name: string;
  readonly description: string;
  /** While it is in use only these tools may be: names, `*` for anything. Null: it does not say. */
  readonly allowedTools: readonly string[] | null;
  /** Names of `skills.secrets` that its commands get in their environment. */
  readonly secrets: readonly string[];
  readonly license?: string;
  readonly version?: string;
}

/** A procedure written down for a model, with the files that belong to it. */
export interface Skill extends SkillManifest {
  readonly origin: SkillOrigin;
  /** What `SKILL.md` says behind its front matter. */
  readonly body: string;
  /** Absolute, on this machine. */
  readonly folder: string;
  /** All of its files, with paths from its folder; `SKILL.md` among them. */
  readonly files: readonly SkillFile[];
  /** Tells two versions apart: a hash of all that it holds. */
  readonly digest: string;
  /** Not wrong, but probably not meant. */
  readonly warnings: readonly string[];
}

export interface SkillFile {
  /** With `/` between names, whatever the machine. */
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
}

/** A folder that was meant to be a skill. */
export interface BrokenSkill {
  /** The folder's name. */
  readonly name: string;
  readonly origin: SkillOrigin;
  /** What is wrong and where, for the admin. */
  readonly problem: string;
}

export interface ShelfContents {
  /** By name, sorted by it. */
  readonly skills: ReadonlyMap<string, Skill>;
  readonly broken: readonly BrokenSkill[];
}

/** The skills of an installation, as they are now. */
export interface SkillShelf {
  /** Cheap: what lies on disk is looked at only so often. */
  contents(): Promise<ShelfContents>;
}

/** Those of the skills that an assistant has; `all` stands for every one, unknown names are skipped. */
export function pickSkills({ skills }: ShelfContents, names: readonly string[] | undefined): readonly Skill[] {
  if (names === undefined) return [];
  const all = [...skills.values()];
  return names.includes('all') ? all : all.filter(({ name }) => names.includes(name));
}
