import { parseArgs } from 'node:util';
import { didYouMean } from '../base/near.ts';
import {
  type CommandName,
  commandNames,
  commands,
  type OperandCommand,
  type OptionName,
  optionNames,
  options as optionTable,
} from './commands.ts';

export interface CommandOptions {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly processes?: number;
  readonly limit?: number;
  readonly text?: string;
  readonly person?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What was asked for on the command line. */
export type CommandLine =
  | { readonly command: Exclude<CommandName, OperandCommand | 'help' | 'version'>; readonly options: CommandOptions }
  | { readonly command: OperandCommand; readonly operand: string; readonly options: CommandOptions }
  | { readonly command: 'help'; readonly topic?: CommandName }
  | { readonly command: 'version' }
  /** `message` says what is wrong, for standard error; exit with 2. */
  | { readonly command: 'wrong'; readonly message: string };

/** Reads `antler <command> [options]`; `argv` is without program and script. Never throws. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(optionNames.map((name) => [name, spelling(name)])),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const flags = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const command = commandOf(words);
  if (flags.some((flag) => flag.name === 'version')) return { command: 'version' };
  if (flags.some((flag) => flag.name === 'help')) return helpOn(command.ok ? command.name : undefined);
  // What follows an unknown option is taken for a word: it must not be blamed for what the option did.
  const unknown = flags.find((flag) => !optionNames.some((name) => name === flag.name));
  if (unknown !== undefined) {
    const near = nearOption(unknown.name, command.ok ? commands[command.name].options : optionNames);
    return { command: 'wrong', message: `unknown option ${unknown.rawName}${near}` };
  }
  if (!command.ok) return { command: 'wrong', message: command.message };
  if (command.name === 'help') return helpAbout(command.rest);
  if (command.name === 'version') return { command: 'version' };

  let options: CommandOptions = {};
  for (const flag of flags) {
    const read = readOption(command.name, flag);
    if ('message' in read) return { command: 'wrong', message: read.message };
    options = { ...options, ...read };
  }
  return complete(command.name, command.rest, options);
}

/** The command line of a known command, once its options are read; `rest` is what stands behind its name. */
function complete(
  name: Exclude<CommandName, 'help' | 'version'>,
  rest: readonly string[],
  options: CommandOptions,
): CommandLine {
  const surplus = takesOperand(name) ? rest.slice(1) : rest;
  if (surplus.length > 0) return { command: 'wrong', message: `"antler ${name}" takes no "${surplus.join(' ')}"` };
  if (!takesOperand(name)) return { command: name, options };
  const [operand] = rest;
  return operand === undefined
    ? { command: 'wrong', message: `say which: antler ${name} ${commands[name].operand}` }
    : { command: name, operand, options };
}

function spelling(name: OptionName): { readonly type: 'string' | 'boolean'; readonly short?: string } {
  const { value, short } = optionTable[name];
  return { type: value === null ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) };
}

const takesOperand = (name: CommandName): name is OperandCommand => 'operand' in commands[name];

type Found =
  | { readonly ok: true; readonly name: CommandName; readonly rest: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Commands of two words come first, so that `config check` is not taken for `config`. */
function commandOf(words: readonly string[]): Found {
  if (words.length === 0) return { ok: true, name: 'help', rest: [] };
  for (const length of [2, 1]) {
    const name = commandNames.find((known) => known === words.slice(0, length).join(' '));
    if (name !== undefined) return { ok: true, name, rest: words.slice(length) };
  }
  const [first = '', second] = words;
  const list = commandNames.find((known) => known === `${first} list`);
  if (list !== undefined && second === undefined) return { ok: true, name: list, rest: [] };
  const below = commandNames.filter((name) => name.startsWith(`${first} `));
  if (below.length > 0 && second === undefined) return { ok: false, message: `say which: antler ${below.join(', ')}` };
  const firstWords = commandNames.map((name) => name.split(' ')[0] ?? name);
  // Behind two words may stand an operand, which says nothing about the command that was meant.
  const near = below.length > 0 ? didYouMean(words.slice(0, 2).join(' '), below) : didYouMean(first, firstWords);
  return { ok: false, message: `unknown command "${words.join(' ')}"${near || '; "antler help" lists them'}` };
}

const helpOn = (topic: CommandName | undefined): CommandLine =>
  topic === undefined || topic === 'help' ? { command: 'help' } : { command: 'help', topic };

function helpAbout(words: readonly string[]): CommandLine {
  if (words.length === 0) return { command: 'help' };
  const about = commandOf(words);
  return about.ok ? helpOn(about.name) : { command: 'wrong', message: about.message };
}

interface Flag {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readOption(command: CommandName, flag: Flag): CommandOptions | { readonly message: string } {
  const allowed = commands[command].options;
  const name = optionNames.find((known) => known === flag.name);
  if (name === undefined || !allowed.includes(name))
    return { message: `"antler ${command}" takes no ${flag.rawName}${nearOption(flag.name, allowed)}` };
  const { value } = flag;
  const { value: kind, range } = optionTable[name];
  if (kind === null) return value === undefined ? { [name]: true } : { message: `${flag.rawName} takes no value` };
  if (value === undefined || value === '' || (value.startsWith('-') && flag.inlineValue !== true))
    return { message: `${flag.rawName} needs a value` };
  if (range === undefined) return { [name]: value };
  const [least, most] = range;
  if (!/^\d{1,5}$/.test(value) || Number(value) < least || Number(value) > most)
    return { message: `${flag.rawName}: expected a whole number from ${least} to ${most}, got "${value}"` };
  return { [name]: Number(value) };
}

const nearOption = (name: string, allowed: readonly OptionName[]): string =>
  didYouMean(name, allowed).replace(/"(\w+)"/, '"--$1"');
