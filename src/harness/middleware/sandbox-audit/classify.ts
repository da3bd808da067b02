import { parseCommands } from './parse.ts';
import { FORK_BOMB, type NamedCommand, named, RULES } from './rules.ts';

export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'warn' | 'block'; readonly rule: string; readonly why: string };

const PASS: Verdict = { kind: 'pass' };
const MAX_COMMAND_CHARS = 20_000;
const MAX_NESTING = 4;
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh'];

/**
 * What a shell command is about to do, as far as its text tells. The container is the wall: this is for the logs and for
 * the model's manners, and whoever wants to hide something from it can.
 */
export function classify(command: string): Verdict {
  const block = (rule: string, why: string): Verdict => ({ kind: 'block', rule, why });
  if (command.trim() === '') return block('empty', 'the command is empty');
  if (command.includes('\0')) return block('nul', 'a command holds no NUL characters');
  if (command.length > MAX_COMMAND_CHARS)
    return block(
      'long',
      `a command has at most ${MAX_COMMAND_CHARS} characters; write a script to a file and run that`,
    );
  if (FORK_BOMB.test(command)) return block('fork_bomb', 'it starts processes without end');
  return judge(command, MAX_NESTING);
}

function judge(text: string, nesting: number): Verdict {
  const parsed = parseCommands(text);
  if (parsed === null) return judgeRaw(text);
  const commands = parsed.map(named);
  let verdict = PASS;
  for (const rule of RULES)
    if (verdict.kind === 'pass' && commands.some((command, index) => rule.fits(command, commands.slice(0, index))))
      verdict = { kind: rule.verdict, rule: rule.name, why: rule.why };
  for (const inner of commands.flatMap(innerText)) {
    if (verdict.kind === 'block' || nesting === 0) break;
    const found = judge(inner, nesting - 1);
    if (found.kind === 'block' || verdict.kind === 'pass') verdict = found;
  }
  return verdict;
}

/** Bash will not understand it either, or understands more than we do: only what looks like a block is one. */
function judgeRaw(text: string): Verdict {
  const rule = RULES.find(({ verdict, raw }) => verdict === 'block' && raw?.test(text));
  return rule === undefined ? PASS : { kind: 'block', rule: rule.name, why: rule.why };
}

/** `bash -c '…'` and `eval …` hold commands of their own. */
function innerText({ name, args }: NamedCommand): string[] {
  if (name === 'eval') return [args.join(' ')];
  if (!SHELLS.includes(name)) return [];
  const flag = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const script = flag === -1 ? undefined : args[flag + 1];
  return script === undefined ? [] : [script];
}
