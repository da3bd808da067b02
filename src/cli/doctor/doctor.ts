import type { Overview } from '../../admin/operator.ts';
import type { MessageBus } from '../../bus/port.ts';
import type { Health } from '../../channel/port.ts';
import type { ConfigResult } from '../../config/load.ts';
import type { Config } from '../../config/schema/config.ts';
import type { McpServerStatus } from '../../harness/mcp/port.ts';
import type { ModelConfig, ModelProbe } from '../../harness/port.ts';
import type { EngineState } from '../../harness/sandbox/docker/engine.ts';
import type { ShelfContents } from '../../harness/skills/port.ts';
import type { Store } from '../../store/port.ts';
import { checkBus } from './bus.ts';
import { type Check, carryOut, fail, ok, type Verdict, warn } from './check.ts';
import { needing, once, type Part } from './depends.ts';
import { checkFolder } from './folder.ts';
import { checkMcpServer } from './mcp.ts';
import { checkStore } from './opened.ts';
import { checkPort } from './port.ts';
import { checkSandbox } from './sandbox.ts';
import { checkSkills } from './skills.ts';

/** What doctor asks, handed in by the composition root. Nothing of it is called before its check runs. */
export interface DoctorParts {
  /** Rejects, or `check` does, with what is wrong and what to do. Closed again after the check. */
  readonly openBus: () => Promise<Pick<MessageBus, 'check' | 'close' | 'stats' | 'paused'>>;
  /** What the Antler that runs at the configured address says of its bus; rejects when that cannot be told. */
  readonly askRunning: () => Promise<Overview>;
  readonly openStore: () => Promise<Pick<Store, 'check' | 'close'>>;
  /** Those of the configuration, or the one that was connected on the start page. */
  readonly models: () => Promise<readonly ModelConfig[]>;
  readonly probeModel: (model: ModelConfig, signal: AbortSignal) => Promise<ModelProbe>;
  /** Asks the sandbox's engine. */
  readonly askEngine: () => Promise<EngineState>;
  readonly skills: () => Promise<ShelfContents>;
  /** Connects to a server of tools; null where that would take something from the Antler that runs. */
  readonly probeMcp: (name: string) => Promise<McpServerStatus | null>;
  /** Asks the platform of an enabled channel who the bot is. */
  readonly probeChannel: (name: string, signal: AbortSignal) => Promise<Health>;
}

export interface DoctorOptions {
  readonly config: ConfigResult;
  readonly parts: (config: Config) => DoctorParts;
  /** Prints one line; the caller scrubs it of secrets that other programs' answers may hold. */
  readonly print: (line: string) => void;
  /** For each check, in milliseconds. Default: 15 s. */
  readonly timeoutMs?: number;
  /** Default: the running one. */
  readonly nodeVersion?: string;
}

const neededNode = 24;

/**
 * `antler doctor`: checks everything at once and prints a line each, in a fixed order. Resolves with the exit code,
 * within a few seconds more than one time-out. A check that hangs may still hold a socket then, so the caller exits
 * the process.
 */
export async function runDoctor(options: DoctorOptions): Promise<0 | 1> {
  const { config, print } = options;
  const checks: Check[] = [
    { subject: 'Node', run: async () => checkNode(options.nodeVersion ?? process.versions.node) },
    ...(config.ok ? configured(config.config, options.parts(config.config)) : []),
  ];
  const verdicts = checks.map(async (check) => ({
    check,
    verdict: await carryOut(check, options.timeoutMs ?? 15_000),
  }));
  const tally = { ok: 0, warn: 0, fail: 0 };
  const say = (subject: string, verdict: Verdict): void => {
    tally[verdict.status] += 1;
    print(`${verdict.status.padEnd(4)}  ${subject}: ${verdict.text}`);
  };
  for (const [subject, verdict] of aboutFile(config)) say(subject, verdict);
  for (const pending of verdicts) {
    const { check, verdict } = await pending;
    say(check.subject, verdict);
  }
  print(conclusion(tally, config.ok));
  return tally.fail > 0 ? 1 : 0;
}

function conclusion(tally: Readonly<Record<Verdict['status'], number>>, checkedAll: boolean): string {
  if (!checkedAll) return 'Mend the configuration first; the rest is checked then.';
  if (tally.fail > 0) return tally.fail === 1 ? '1 thing needs mending.' : `${tally.fail} things need mending.`;
  return tally.warn > 0 ? 'Antler can run; see the warnings.' : 'All is well.';
}

function aboutFile(config: ConfigResult): (readonly [string, Verdict])[] {
  if (!config.ok) return config.problems.map((problem) => ['configuration', fail(problem.text)] as const);
  const warnings = config.warnings.map((warning) => ['configuration', warn(warning.text)] as const);
  return [['configuration', ok(config.file ?? 'no file; environment and defaults')], ...warnings];
}

function checkNode(version: string): Verdict {
  const major = Number(version.split('.')[0]);
  if (major >= neededNode) return ok(version);
  return fail(
    `${version} is too old; run "npm ci" (it brings Node ${neededNode} along), or install Node ${neededNode}`,
  );
}

function configured(config: Config, parts: DoctorParts): Check[] {
  const { server } = config;
  const folder: Part = { name: 'data folder', verdict: once(async () => checkFolder(config.data_dir)) };
  const bus = config.redis.url === undefined ? { kind: 'embedded', needs: [folder] } : { kind: 'Redis', needs: [] };
  const store =
    config.database.url === undefined ? { kind: 'embedded', needs: [folder] } : { kind: 'PostgreSQL', needs: [] };
  const database: Part = {
    name: 'database',
    verdict: once(() => needing(store.needs, () => checkStore(parts.openStore))),
  };
  return [
    { subject: folder.name, run: folder.verdict },
    {
      subject: `bus (${bus.kind})`,
      run: () => needing(bus.needs, () => checkBus(parts.openBus, parts.askRunning)),
    },
    { subject: `database (${store.kind})`, run: database.verdict },
    { subject: 'port', run: (signal) => checkPort(server.host, server.port, signal) },
    { subject: 'sandbox', run: () => checkSandbox(config.sandbox, parts.askEngine) },
    { subject: 'skills', run: () => checkSkills(parts.skills) },
    ...Object.keys(config.mcp_servers).map(
      (name): Check => ({ subject: `MCP server ${name}`, run: () => checkMcpServer(() => parts.probeMcp(name)) }),
    ),
    ...modelChecks(config, parts, [...store.needs, database]),
    ...Object.values(config.channels)
      .filter((channel) => channel.enabled)
      .map(
        (channel): Check => ({
          subject: `channel ${channel.name}`,
          run: async (signal) => channelVerdict(await parts.probeChannel(channel.name, signal)),
        }),
      ),
  ];
}

/** Configured models are one check each; what was connected on the start page is found out inside one check. */
function modelChecks(config: Config, parts: DoctorParts, needs: readonly Part[]): Check[] {
  const names = config.models.map((model) => model.name);
  if (names.length === 0)
    return [{ subject: 'model', run: (signal) => needing(needs, () => checkSavedModel(parts, signal)) }];
  const models = Promise.resolve().then(parts.models);
  models.catch(() => {}); // each check below tells it
  return names.map((name) => ({
    subject: `model ${name}`,
    run: async (signal) => {
      const model = (await models).find((candidate) => candidate.name === name);
      if (model === undefined) return fail('it is configured but cannot be found');
      return modelVerdict(model, await parts.probeModel(model, signal));
    },
  }));
}

async function checkSavedModel(parts: DoctorParts, signal: AbortSignal): Promise<Verdict> {
  const [model] = await parts.models();
  if (model === undefined)
    return warn('none is connected; set OPENAI_API_KEY and OPENAI_MODEL, or connect one on the start page');
  return modelVerdict(model, await parts.probeModel(model, signal));
}

function modelVerdict(model: ModelConfig, probe: ModelProbe): Verdict {
  if (!probe.ok) return fail(probe.problem);
  if (model.demo) return warn('the built-in demo model answers; connect a real one on the start page');
  return ok(`${model.model} answers in ${Math.round(probe.ms)} ms`);
}

function channelVerdict(health: Health): Verdict {
  if (health.ok) return ok(health.identity === undefined ? 'works' : `works as ${health.identity}`);
  return fail(health.problem ?? 'does not work; the log says more');
}
