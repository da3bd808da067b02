import type { ShelfContents } from '../../harness/skills/port.ts';
import { ok, type Verdict, warn } from './check.ts';

/** Broken skills are left out alone; who wrote them should know. */
export async function checkSkills(contents: () => Promise<ShelfContents>): Promise<Verdict> {
  const { skills, broken } = await contents();
  const count = `${skills.size} there`;
  if (broken.length === 0) return ok(count);
  return warn(`${count}; left out: ${broken.map(({ name, problem }) => `${name} (${problem})`).join('; ')}`);
}
