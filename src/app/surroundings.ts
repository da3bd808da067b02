import type { Logger } from '../base/logger.ts';

/** What a command gets from `main.ts`, which alone knows the environment and the terminal. */
export interface Surroundings {
  readonly log: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  /** For people at the terminal, apart from what a script reads. */
  readonly note: (line: string) => void;
}
