import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AntlerError } from '../../base/errors.ts';
import { SKILLS } from '../sandbox/paths.ts';
import { cutMiddle } from '../transcript/text.ts';
import type { Skill } from './port.ts';

const MAX_CHARS = 20_000;

/**
 * A text file of a skill. Only a path that is in the skill's list is ever opened.
 * @throws AntlerError `bad_input` for any other, `unsupported` for what is no text.
 */
export async function readSkillFile({ name, folder, files }: Skill, wanted: string): Promise<string> {
  const path = wanted.replace(`${SKILLS}/${name}/`, '').replace(/^\.\//, '');
  if (!files.some((file) => file.path === path)) {
    const list = cutMiddle(files.map((file) => file.path).join(', '), 1_000);
    throw new AntlerError('bad_input', `file: ${name} has no ${JSON.stringify(wanted.slice(0, 100))}; it has ${list}`);
  }
  const content = await readFile(join(folder, path));
  try {
    return cutMiddle(new TextDecoder('utf-8', { fatal: true }).decode(content), MAX_CHARS);
  } catch {
    throw new AntlerError('unsupported', `${path} is no text; commands find it at ${SKILLS}/${name}/${path}`);
  }
}
