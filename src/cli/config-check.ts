import type { ConfigResult } from '../config/load.ts';
import type { Config } from '../config/schema/config.ts';

export interface Output {
  /** One line, without its line break. */
  readonly print: (line: string) => void;
}

/** `antler config check`: every mistake, or what the configuration amounts to. Returns the exit code. */
export function runConfigCheck(result: ConfigResult, { print }: Output): 0 | 1 {
  if (!result.ok) {
    for (const problem of result.problems) print(problem.text);
    const count = result.problems.length;
    print(count === 1 ? '1 mistake' : `${count} mistakes`);
    return 1;
  }
  for (const warning of result.warnings) print(`warning: ${warning.text}`);
  print(`config ok: ${summary(result.config, result.file)}`);
  return 0;
}

/** One line about a configuration, without secrets. */
function summary(config: Config, file: string | null): string {
  const channels = Object.values(config.channels).filter((channel) => channel.enabled);
  return [
    file ?? 'no file, environment and defaults',
    counted(
      'model',
      config.models.map((model) => model.name),
    ),
    counted('assistant', Object.keys(config.assistants)),
    counted(
      'channel',
      channels.map((channel) => channel.name),
    ),
    config.redis.url === undefined ? 'embedded bus' : 'Redis',
    config.database.url === undefined ? 'embedded database' : 'PostgreSQL',
  ].join(' · ');
}

function counted(noun: string, names: readonly string[]): string {
  if (names.length === 0) return `no ${noun}`;
  return `${names.length} ${noun}${names.length === 1 ? '' : 's'} (${names.join(', ')})`;
}
