import { type CommandName, commandNamed } from '../base/commands.ts';

export interface Command {
  readonly name: CommandName;
  readonly args: string;
}

/** A slash as phones write it in either script, a word, and what is left. */
const SHAPE = /^[/／]([\p{L}-]+)[。.!！]?(?:\s+([\s\S]*))?$/u;

/** Reads a command out of a person's own words; null when they are chat. */
export function parseCommand(text: string): Command | null {
  const match = SHAPE.exec(text.trim());
  const name = commandNamed(match?.[1] ?? '');
  return name === undefined ? null : { name, args: match?.[2]?.trim() ?? '' };
}
