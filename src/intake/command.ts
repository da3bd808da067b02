/** The commands that the bot answers itself. Anything else with a slash is chat: `/mnt/data is full` is a sentence. */
export const COMMANDS = ['start', 'help', 'new', 'stop', 'again', 'status', 'whoami', 'pair'] as const;
export type CommandName = (typeof COMMANDS)[number];

export interface Command {
  readonly name: CommandName;
  readonly args: string;
}

const SHAPE = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i;

/** Reads a command out of a person's own words; null when they are chat. */
export function parseCommand(text: string): Command | null {
  const match = SHAPE.exec(text.trim());
  const word = match?.[1]?.toLowerCase();
  const name = COMMANDS.find((known) => known === word);
  return name === undefined ? null : { name, args: match?.[2]?.trim() ?? '' };
}
