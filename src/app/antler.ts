import type { ModelSettings } from '../admin/model-settings.ts';
import { modelSettings } from '../admin/model-settings.ts';
import type { TokenOrigin } from '../admin/owner-token.ts';
import { createSecrets, type Secrets } from '../admin/secrets.ts';
import type { Logger } from '../base/logger.ts';
import type { Budgets } from '../budgets/port.ts';
import type { Working } from '../bus/port.ts';
import { builtInType } from '../config/environment.ts';
import type { Config } from '../config/schema/config.ts';
import type { AgentSource } from '../harness/acp/source.ts';
import { createConverter } from '../harness/documents/index.ts';
import { createHarness } from '../harness/index.ts';
import { createMcpSource, type McpSource } from '../harness/mcp/source.ts';
import type { Completer, Harness } from '../harness/port.ts';
import type { ProposalDesk } from '../harness/proposals/port.ts';
import { proposalSource } from '../harness/proposals/tools.ts';
import { noWorkspaces } from '../harness/sandbox/none.ts';
import type { Workspaces } from '../harness/sandbox/port.ts';
import type { Learning } from '../memory/extraction/worker.ts';
import type { Memory } from '../memory/port.ts';
import { agentSourceOf } from './agents.ts';
import { type AssistantBook, createAssistantBook } from './assistants.ts';
import { budgetsOf } from './budgets.ts';
import type { StatusListener } from './connections.ts';
import { createDemoModel, type DemoModel } from './demo-model.ts';
import type { Gateway } from './gateway.ts';
import { guardrailsOf } from './guardrails.ts';
import { mcpServersOf, tokenShelves } from './mcp.ts';
import { memoryOf, startLearningOf } from './memory.ts';
import { proposalDesk } from './proposal-desk.ts';
import { openRooms, type Rooms } from './rooms.ts';
import { rightsOf } from './routing.ts';
import { sharedModelSettings } from './saved-model.ts';
import type { Served } from './server.ts';
import { shelfOf } from './skills.ts';
import { SoulFiles } from './soul.ts';
import { webSourceOf } from './web.ts';
import { startWorker } from './worker.ts';
import { workspacesOf } from './workspaces.ts';

/** What a process does: receive and send, run turns, or both. */
export interface Roles {
  readonly gateway: boolean;
  readonly worker: boolean;
}

/** A running Antler. */
export interface Antler {
  /** Where the page is; null without the gateway's role. */
  readonly url: string | null;
  /** Where the owner's token comes from. */
  readonly token: TokenOrigin;
  readonly channels: readonly string[];
  /** With `/claim`, it makes who sends it from a platform the owner; null: there is one, or it was shown before. */
  readonly ownerCode: string | null;
  /** Hears what this process's connections do; returns the function that ends it. */
  watch(listener: StatusListener): () => void;
  /** Stops receiving, lets turns and deliveries end within `graceMs`, hands the rest over, closes everything. */
  stop(graceMs?: number): Promise<void>;
}

export interface AntlerOptions {
  readonly config: Config;
  readonly roles: Roles;
  readonly log: Logger;
  /** `ANTLER_SECRET_KEY`. */
  readonly secretKey: string | undefined;
  /** How the bus is to know this process's worker; a supervisor gives it. */
  readonly workerId?: string | undefined;
}

const GRACE_MS = 25_000;

/** The parts that turns, commands and the set-up page share. */
interface Mind {
  readonly secrets: Secrets;
  readonly harness: Harness & Completer;
  readonly models: ModelSettings;
  readonly assistants: AssistantBook;
  readonly demo: DemoModel;
  readonly mcp: McpSource;
  readonly agents: AgentSource;
  readonly workspaces: Workspaces;
  readonly proposals: ProposalDesk;
  readonly budgets: Budgets;
  readonly memory: Memory;
}

function createMind(rooms: Rooms, roles: Roles, secretKey: string | undefined): Mind {
  const { config, bus, store, clock, log } = rooms;
  const secrets = createSecrets({ key: secretKey, dataDir: config.data_dir });
  const models = sharedModelSettings(modelSettings(store.settings, secrets), bus, clock);
  const converter = createConverter();
  const demo = createDemoModel();
  const mcp = createMcpSource({
    servers: mcpServersOf(config),
    tokens: tokenShelves(store.settings, secrets),
    clock,
    log,
  });
  const agents = agentSourceOf(config, clock);
  const skills = shelfOf(config, clock, log);
  const souls = new SoulFiles();
  const proposals = proposalDesk(config, store, skills, clock, souls);
  const assistants = createAssistantBook({
    config,
    saved: () => models.read(),
    demoUrl: () => demo.url(),
    approvedSoul: proposals.soul,
    souls,
  });
  // Only workers run turns; a gateway's harness is for trying models.
  const memory = memoryOf(rooms);
  const workspaces = roles.worker ? workspacesOf(config, skills, clock, log) : noWorkspaces;
  return {
    secrets,
    harness: createHarness({
      log,
      clock,
      workspaces,
      guardrails: guardrailsOf(config.guardrails, rightsOf(config)),
      skills,
      skillSecrets: config.skills.secrets,
      ...(config.memory.enabled ? { memory } : {}),
      converter,
      sources: [webSourceOf(config, converter), proposalSource(proposals), mcp, agents],
    }),
    mcp,
    agents,
    workspaces,
    proposals,
    budgets: budgetsOf(rooms),
    memory,
    models,
    assistants,
    demo,
  };
}

/** Whoever has the page alone owns it; on a platform somebody has to be told from everybody else. */
async function ownerCode({ channels }: Config, gateway: Gateway | null): Promise<string | null> {
  const isPublic = Object.values(channels).some(({ enabled, type }) => enabled && type !== builtInType);
  return gateway === null || !isPublic ? null : gateway.desk.ownerClaim.offer();
}

/** Starts the roles of one process. Rejects with what to do when something that it needs is not there. */
export async function startAntler({ config, roles, log, secretKey, workerId }: AntlerOptions): Promise<Antler> {
  const rooms = await openRooms(config, log);
  const mind = createMind(rooms, roles, secretKey);
  let gateway: Gateway | null = null;
  let worker: Working | null = null;
  let server: Served | null = null;
  let learning: Learning | null = null;

  async function stop(graceMs = GRACE_MS): Promise<void> {
    await server?.close();
    await gateway?.hangUp();
    await worker?.stop();
    await learning?.stop();
    await rooms.bus.close({ graceMs });
    await mind.budgets.stop();
    await rooms.store.close();
    await mind.workspaces.close();
    await mind.mcp.close();
    await mind.agents.close();
    await mind.demo.stop();
  }

  try {
    if (roles.worker) {
      worker = await startWorker(rooms, mind.harness, mind.assistants, mind.budgets, mind.memory, workerId);
      learning = startLearningOf(rooms, mind.harness, mind.assistants);
    }
    if (roles.gateway) {
      // Loaded where it is played: a worker has no use for a web server, which takes it megabytes and milliseconds.
      const [{ startGateway }, { startServer }] = await Promise.all([import('./gateway.ts'), import('./server.ts')]);
      gateway = await startGateway(rooms, mind.assistants, mind.secrets, mind.budgets);
      server = await startServer(rooms, gateway, mind);
    }
  } catch (error) {
    await stop(0).catch(() => {}); // the first error is the one to tell
    throw error;
  }
  return {
    url: server?.url ?? null,
    token: server?.token ?? { kind: 'none' },
    channels: [...(gateway?.adapters.keys() ?? [])],
    ownerCode: await ownerCode(config, gateway),
    watch: (listener) => gateway?.connections.subscribe(listener) ?? (() => {}),
    stop,
  };
}
