import { COMMAND_NAMES, COMMANDS, type CommandName } from '../base/commands.ts';

export interface Command {
  readonly name: CommandName;
  readonly args: string;
}

/** A slash as phones write it in either script, a word, and what is left. */
const SHAPE = /^[/／]([\p{L}-]+)[。.!！]?(?:\s+([\s\S]*))?$/u;

const known: ReadonlyMap<string, CommandName> = new Map(
  COMMAND_NAMES.flatMap((name) => [name, ...COMMANDS[name].aliases].map((word) => [word, name] as const)),
);

/** Reads a command out of a person's own words; null when they are chat. */
export function parseCommand(text: string): Command | null {
  const match = SHAPE.exec(text.trim());
  const name = known.get(match?.[1]?.toLowerCase() ?? '');
  return name === undefined ? null : { name, args: match?.[2]?.trim() ?? '' };
}
