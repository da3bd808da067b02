import { type CommandName, commandNames, commands, type OptionName, optionNames, options } from './commands.ts';

/** The text of `antler help`, or of `antler help <command>`. Ends with a line break. */
export function helpText(topic?: CommandName): string {
  return topic === undefined ? overview() : about(topic);
}

const overview = (): string => `Antler: one bot in many chats.

Usage: antler <command> [options]

Start here:
  antler demo       try it offline
  antler start      serve http://127.0.0.1:2026, where you connect a model
  antler doctor     when something does not work

Commands:
${table(commandNames.map((name) => [name, commands[name].summary]))}

Options:
${optionTable(optionNames)}
`;

function about(name: CommandName): string {
  const command = commands[name];
  const { summary, detail, options: taken } = command;
  const operand = 'operand' in command ? ` ${command.operand}` : '';
  const usage = `Usage: antler ${name}${operand}${taken.length > 0 ? ' [options]' : ''}`;
  const list = taken.length > 0 ? `\n\nOptions:\n${optionTable(taken)}` : '';
  return `antler ${name}: ${summary}\n\n${usage}\n\n${detail}${list}\n`;
}

const optionTable = (names: readonly OptionName[]): string =>
  table(names.map((name) => [`--${name} ${options[name].value ?? ''}`.trimEnd(), options[name].summary]));

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** The answer to `antler version`. */
export const versionText = (version: string): string => `antler ${version} (Node ${process.versions.node})\n`;
