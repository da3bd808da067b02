import { AntlerError } from '../base/errors.ts';
import type { MemoryCommand } from './commands.ts';
import { counted, type Report } from './operate/report.ts';

/** What an admin does with what is remembered about somebody, called by the key of one of their accounts. */
export interface MemoryKeeper {
  /** All of it, in the shape of a memory.json. */
  export(key: string): Promise<object>;
  /** @throws AntlerError `bad_input` for what is no memory.json. */
  import(key: string, file: string): Promise<{ readonly added: number; readonly skipped: number }>;
  erase(key: string): Promise<{ readonly facts: number }>;
}

export interface MemoryOptions {
  readonly command: MemoryCommand;
  /** The word behind the command. */
  readonly operand: string;
  /** Whose memory a file is imported into. */
  readonly person?: string | undefined;
  readonly json?: boolean | undefined;
  readonly keeper: MemoryKeeper;
  readonly print: (text: string) => void;
}

/** `antler memory …`. Rejects with an `AntlerError` that says what to do. */
export async function runMemory({ json = false, print, ...options }: MemoryOptions): Promise<void> {
  const report = await reportOn(options);
  print(json ? JSON.stringify(report.json, null, 2) : report.lines.join('\n'));
}

async function reportOn({ command, operand, person, keeper }: Omit<MemoryOptions, 'json' | 'print'>): Promise<Report> {
  switch (command) {
    case 'memory export': {
      const file = await keeper.export(operand);
      // It is a file for other programs in any case.
      return { lines: [JSON.stringify(file, null, 2)], json: file };
    }
    case 'memory import': {
      if (person === undefined)
        throw new AntlerError('bad_input', 'Say whose it is: --person KEY. "antler people" lists the keys.');
      const done = await keeper.import(person, operand);
      const rest =
        done.skipped === 0 ? '' : `; ${done.skipped} left out: malformed, too long, or with a secret in them`;
      return { lines: [`${counted(done.added, 'fact')} imported for ${person}${rest}.`], json: done };
    }
    case 'memory erase': {
      const done = await keeper.erase(operand);
      return { lines: [`${counted(done.facts, 'fact')} about ${operand} erased.`], json: done };
    }
    default:
      return command satisfies never;
  }
}
