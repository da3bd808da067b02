import { AntlerError } from '../../base/errors.ts';

/** The parts of a workspace, as their names in virtual paths. */
export type Area = 'uploads' | 'workspace' | 'outputs' | 'skills';

export const USER_DATA = '/mnt/user-data';
export const SKILLS = '/mnt/skills';
/** Where each area is seen. */
export const AREA_PATHS: Readonly<Record<Area, string>> = {
  uploads: `${USER_DATA}/uploads`,
  workspace: `${USER_DATA}/workspace`,
  outputs: `${USER_DATA}/outputs`,
  skills: SKILLS,
};
const AREAS = Object.entries(AREA_PATHS).map(([area, path]) => ({ area: area as Area, path }));

const MAX_PATH_CHARS = 1_024;
/** As file systems have it. */
const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 32;

/** A virtual path, understood: where it is, and the names below. `area` null: the folder that holds the areas. */
export interface Place {
  readonly area: Area | null;
  readonly names: readonly string[];
  /** Absolute and normal: no `.`, no `..`, no slash at the end. */
  readonly path: string;
}

/**
 * Reads a virtual path. What is relative is below `workspace`.
 * @throws AntlerError `bad_input` for a path that is none, or leads out of the areas.
 */
export function placeOf(written: string): Place {
  const path = normal(written);
  if (path === USER_DATA) return { area: null, names: [], path };
  const found = AREAS.find((area) => path === area.path || path.startsWith(`${area.path}/`));
  if (found === undefined) throw outside(written);
  const names = path.slice(found.path.length + 1).split('/');
  return { area: found.area, names: names[0] === '' ? [] : names, path };
}

function normal(written: string): string {
  if (/\p{Cc}/u.test(written)) throw new AntlerError('bad_input', 'a path holds no control characters');
  if (written.length > MAX_PATH_CHARS)
    throw new AntlerError('bad_input', `a path has at most ${MAX_PATH_CHARS} characters`);
  const from = written.startsWith('/') ? [] : AREA_PATHS.workspace.slice(1).split('/');
  const names = [...from];
  for (const name of written.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (names.pop() === undefined) throw outside(written);
      continue;
    }
    if (!name.isWellFormed() || Buffer.byteLength(name) > MAX_NAME_BYTES)
      throw new AntlerError('bad_input', `a name in a path has at most ${MAX_NAME_BYTES} bytes`);
    names.push(name);
  }
  if (names.length > MAX_DEPTH) throw new AntlerError('bad_input', `a path is at most ${MAX_DEPTH} folders deep`);
  return `/${names.join('/')}`;
}

const outside = (written: string): AntlerError =>
  new AntlerError(
    'bad_input',
    `${JSON.stringify(written.slice(0, 100))} is outside of what there is: use relative paths, or ${Object.values(AREA_PATHS).join(', ')}`,
  );
