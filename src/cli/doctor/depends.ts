import { type Verdict, warn } from './check.ts';

/** Something that is checked, and that other checks need. */
export interface Part {
  readonly name: string;
  /** The same verdict each time; may reject, as the check itself may. */
  readonly verdict: () => Promise<Verdict>;
}

/** The check, carried out at the first call only. */
export function once(check: () => Promise<Verdict>): () => Promise<Verdict> {
  let verdict: Promise<Verdict> | null = null;
  return () => {
    verdict ??= check();
    return verdict;
  };
}

/** Checks only when all that it needs is well: one fault is told once, where it is. */
export async function needing(parts: readonly Part[], check: () => Promise<Verdict>): Promise<Verdict> {
  for (const { name, verdict } of parts) {
    const isWell = await verdict().then(
      ({ status }) => status !== 'fail',
      () => false,
    );
    if (!isWell) return warn(`not checked: the ${name} cannot be used`);
  }
  return check();
}
