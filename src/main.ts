import { manifests } from './app/channels.ts';
import { chat, demo, doctor, replaceOwnerToken, serve, superviseWorkers } from './app/commands.ts';
import { memory } from './app/memory-keeper.ts';
import { operate } from './app/operate.ts';
import { people } from './app/people-desk.ts';
import { proposals } from './app/proposal-desk.ts';
import { skills } from './app/skill-desk.ts';
import type { Surroundings } from './app/surroundings.ts';
import { version } from './app/version.ts';
import { AntlerError } from './base/errors.ts';
import { type CommandLine, parseCommandLine } from './cli/args.ts';
import { runConfigCheck } from './cli/config-check.ts';
import { helpText, versionText } from './cli/help.ts';
import { type ConfigResult, loadConfig } from './config/load.ts';
import type { Config } from './config/schema/config.ts';
import { listSecrets } from './config/secrets.ts';
import { toolNames } from './harness/tool-names.ts';
import { createLogger } from './telemetry/log.ts';
import { registerSecret, scrub } from './telemetry/scrub.ts';

/** The only place that reads the environment and the arguments, and that ends the process. */
async function main(): Promise<number> {
  const line = parseCommandLine(process.argv.slice(2));
  switch (line.command) {
    case 'help':
      process.stdout.write(helpText(line.topic));
      return 0;
    case 'version':
      process.stdout.write(versionText(version));
      return 0;
    case 'wrong':
      process.stderr.write(`${line.message}\n`);
      return 2;
    default:
      return run(line);
  }
}

type LogLevel = Parameters<typeof createLogger>[0]['level'];
type Runnable = Exclude<CommandLine, { command: 'help' | 'version' | 'wrong' }>;

async function run(line: Runnable): Promise<number> {
  const { command, options } = line;
  const print = (text: string): void => void process.stdout.write(`${scrub(text)}\n`);
  const note = (text: string): void => void process.stderr.write(`${scrub(text)}\n`);
  const around = (level: LogLevel): Surroundings => ({ log: createLogger({ level }), env: process.env, print, note });
  if (command === 'demo') {
    await demo(options, around('warn'));
    return 0;
  }
  const { config: path, processes, limit, text, person, force, json, ...address } = options;
  const result = loadConfig({
    ...(path === undefined ? {} : { path }),
    ...address,
    env: process.env,
    manifests,
    tools: toolNames(),
  });
  if (result.ok) for (const secret of listSecrets(result.config, manifests)) registerSecret(secret);
  if (command === 'config check') return runConfigCheck(result, { print });
  if (command === 'doctor') return doctor(result, around('silent'));
  const config = usable(result);
  if (config === null) return 1;
  const level = command === 'chat' || command === 'owner-token' ? 'error' : config.log.level;
  const surroundings = around(level);
  switch (command) {
    case 'chat':
      return chat(config, surroundings);
    case 'owner-token':
      await replaceOwnerToken(config, surroundings);
      return 0;
    case 'start':
      await serve(config, { gateway: true, worker: true }, surroundings);
      return 0;
    case 'gateway':
    case 'worker':
      if (!isShared(config)) {
        process.stderr.write(`antler ${command} needs Redis and PostgreSQL: set REDIS_URL and DATABASE_URL.\n`);
        return 1;
      }
      if (processes !== undefined) {
        await superviseWorkers(config, { processes, ...(path === undefined ? {} : { config: path }) }, surroundings);
        return 0;
      }
      await serve(config, { gateway: command === 'gateway', worker: command === 'worker' }, surroundings);
      return 0;
    case 'memory export':
    case 'memory import':
    case 'memory erase':
      await memory(config, { command, operand: operandOf(line), person, json }, around('silent'));
      return 0;
    case 'people list':
    case 'people role':
    case 'people link':
    case 'people unlink':
    case 'people audit':
    case 'config explain':
      await people(config, { command, operand: operandOf(line), limit, text, json }, around('silent'));
      return 0;
    case 'skills list':
    case 'skills check':
    case 'skills install':
    case 'skills remove':
      return skills(config, { command, operand: operandOf(line), force, json }, around('silent'));
    case 'proposals list':
    case 'proposals show':
    case 'proposals approve':
    case 'proposals reject':
    case 'proposals undo':
      await proposals(config, { command, operand: operandOf(line), force, json }, around('silent'));
      return 0;
    default: {
      const operand = operandOf(line);
      // Standard output is the report's alone: it may be JSON for a script.
      await operate(config, { command, operand, limit, json }, around('silent'));
      return 0;
    }
  }
}

const operandOf = (line: Runnable): string => ('operand' in line ? line.operand : '');

/** The configuration; null after its mistakes were printed. */
function usable(result: ConfigResult): Config | null {
  if (result.ok) {
    for (const warning of result.warnings) process.stderr.write(`warning: ${warning.text}\n`);
    return result.config;
  }
  for (const problem of result.problems) process.stderr.write(`${problem.text}\n`);
  return null;
}

/** Separate processes meet in Redis and PostgreSQL; the embedded ones belong to a single process. */
const isShared = (config: Config): boolean => Boolean(config.redis.url) && Boolean(config.database.url);

try {
  process.exit(await main());
} catch (error) {
  // What an admin can mend is told in a sentence; a fault of ours with its stack.
  const known = error instanceof AntlerError && error.code !== 'internal';
  process.stderr.write(`${scrub(known ? error.message : String(error instanceof Error ? error.stack : error))}\n`);
  process.exit(1);
}
