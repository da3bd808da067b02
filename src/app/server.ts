import { createHttpApp, type Readiness } from '../admin/app.ts';
import { createBusOperator, type PairingDesk } from '../admin/bus-operator.ts';
import { connectPage } from '../admin/connect-page.ts';
import { ownerGuard } from '../admin/guard.ts';
import type { McpDesk } from '../admin/mcp-servers.ts';
import type { ModelSettings } from '../admin/model-settings.ts';
import { type FixedModel, modelSetup } from '../admin/model-setup.ts';
import { operations } from '../admin/operations.ts';
import type { Connection, PairedView } from '../admin/operator.ts';
import { isAtHome } from '../admin/origin.ts';
import { noToken, ownerToken, type TokenOrigin } from '../admin/owner-token.ts';
import { type HttpServer, serveHttp } from '../admin/serve.ts';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import type { Budgets } from '../budgets/port.ts';
import type { Config } from '../config/schema/config.ts';
import type { Harness } from '../harness/port.ts';
import type { ProposalDesk } from '../harness/proposals/port.ts';
import type { Pairing } from '../intake/pairing.ts';
import { scrub } from '../telemetry/scrub.ts';
import { savedConfig } from './assistants.ts';
import type { Gateway } from './gateway.ts';
import { movesOf, peopleAdmin } from './people-desk.ts';
import type { Rooms } from './rooms.ts';
import { taskAdmin } from './task-admin.ts';
import { taskDeskOf } from './tasks.ts';
import { usageView } from './usage-view.ts';
import { version } from './version.ts';

export interface Served extends HttpServer {
  readonly token: TokenOrigin;
}

/** What the server shows and changes, besides what the gateway does. */
export interface ServedParts {
  readonly harness: Harness;
  readonly models: ModelSettings;
  readonly proposals: ProposalDesk;
  readonly mcp: McpDesk;
  readonly budgets: Pick<Budgets, 'report'>;
}

/** The HTTP server of a gateway: web chat, set-up, webhooks, health. */
export async function startServer(
  rooms: Rooms,
  gateway: Gateway,
  { harness, models, proposals, mcp, budgets }: ServedParts,
): Promise<Served> {
  const { config, bus, store, log, clock } = rooms;
  const { host, port, public_url: publicUrl, owner_token: configured } = config.server;
  const token =
    configured === undefined && isAtHome({ host, publicUrl }) ? noToken : await ownerToken(store.settings, configured);
  const guard = ownerGuard({
    host,
    publicUrl,
    token,
    settings: store.settings,
    clock,
  });
  const app = createHttpApp({
    guard,
    setup: modelSetup({
      models,
      fixed: () => fixedModel(config),
      probe: (model, signal) => harness.probeModel(savedConfig(model), signal),
      log,
    }),
    operations: operations({
      operator: createBusOperator({
        bus,
        channels: () => connectionsOf(gateway),
        enterLoginCode: (channel, code) => enterLoginCode(gateway, channel, code),
        pairing: pairingDesk(gateway.desk.pairing),
        usage: async (limit) => usageView(await budgets.report(limit)),
        scrub,
        log,
      }),
      people: peopleAdmin(rooms, movesOf(store)),
      proposals,
      tasks: taskAdmin(rooms, taskDeskOf(rooms)),
      mcp,
      log,
    }),
    pages: [
      connectPage((channel) => connectionsOf(gateway).get(channel)),
      ...[...gateway.adapters.values()].flatMap((adapter) => (adapter.page === undefined ? [] : [adapter.page])),
    ],
    webhooks: async (name, request) => (await gateway.adapters.get(name)?.webhook?.(request)) ?? null,
    health: () => ({ name: 'antler', version }),
    ready: () => readiness(rooms, gateway),
    log,
  });
  const server = await serveHttp(app, { host, port });
  return { ...server, token: token.origin };
}

const connectionsOf = ({ adapters, connections }: Gateway): ReadonlyMap<string, Connection> =>
  new Map([...adapters.keys()].map((name) => [name, connections.get(name)]));

/** The owner's side of letting strangers in. */
function pairingDesk(pairing: Pairing): PairingDesk {
  const view = ({ channel, user, name }: PairedView): PairedView => ({ channel, user, name });
  return {
    pairing: async () => ({
      requests: (await pairing.pending()).map((one) => ({ ...view(one), code: one.code, at: one.requestedAt })),
      admitted: (await pairing.admitted()).map((one) => ({ ...view(one), by: one.admittedBy, at: one.admittedAt })),
    }),
    approvePairing: async (code) => view(await pairing.approve(code, 'owner')),
    denyPairing: async (code) => view(await pairing.deny(code)),
    revokePairing: (channel, user) => pairing.revoke(channel, user),
  };
}

async function enterLoginCode({ adapters }: Gateway, channel: string, code: string): Promise<void> {
  const enter = adapters.get(channel)?.enterLoginCode;
  if (enter === undefined) throw new AntlerError('bad_input', 'This channel asks for no number when it logs in.');
  await enter(code);
}

/** A model of the configuration; the page shows it and cannot change it. */
function fixedModel(config: Config): FixedModel | null {
  const first = config.models[0];
  if (first === undefined) return null;
  return { name: first.name, baseUrl: first.base_url, demo: first.demo };
}

async function readiness({ bus, store }: Rooms, gateway: Gateway): Promise<Readiness> {
  const reasons: string[] = [];
  const note = (what: string) => (error: unknown) => void reasons.push(`${what}: ${asAntlerError(error).message}`);
  await Promise.all([bus.check().catch(note('bus')), store.check().catch(note('database'))]);
  for (const [channel, status] of gateway.connections.own) {
    if (status.state === 'failing') reasons.push(`${channel}: ${status.problem}`);
  }
  return { ready: reasons.length === 0, reasons };
}
