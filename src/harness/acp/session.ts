import { Readable, Writable } from 'node:stream';
import type {
  ClientContext,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import { AntlerError } from '../../base/errors.ts';
import type { ExternalAgentConfig } from './port.ts';
import { AgentProcess } from './process.ts';

const CLIENT = { name: 'antler', version: '1.0.0' };
/** Of one message of an agent. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** What an agent has to wind up in when it is told to stop. */
const CANCEL_GRACE_MS = 1_000;
/** From a broken line to the end of the process behind it. */
const END_SHOWS_MS = 500;

export interface SessionOrder {
  readonly config: ExternalAgentConfig;
  /** Where it works; absolute, and there. */
  readonly folder: string;
  readonly prompt: string;
  readonly onUpdate: (update: SessionUpdate) => void;
  readonly onPermission: (request: RequestPermissionRequest) => RequestPermissionResponse;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/**
 * Starts an agent, puts one prompt to it, and ends it with everything that it has started.
 * @throws AntlerError `unavailable` (it does not start, breaks, or says that it cannot), `timeout`, `cancelled`.
 */
export async function runSession(order: SessionOrder): Promise<StopReason> {
  const { config, folder, signal } = order;
  if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
  const acp = await import('@agentclientprotocol/sdk');
  const agent = new AgentProcess(config, folder);
  const stream = acp.ndJsonStream(
    Writable.toWeb(agent.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(agent.stdout) as unknown as ReadableStream<Uint8Array>,
    { maxMessageBytes: MAX_MESSAGE_BYTES },
  );
  const connection = acp
    .client(CLIENT)
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => order.onPermission(params))
    .onNotification(acp.methods.client.session.update, ({ params }) => order.onUpdate(params.update))
    .connect(stream);
  const peer = connection.agent;

  const open = async (): Promise<string> => {
    await peer.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: CLIENT,
      // It reads, writes and runs things by its own means; ours are other people's.
      clientCapabilities: {},
    });
    return (await peer.request(acp.methods.agent.session.new, { cwd: folder, mcpServers: [] })).sessionId;
  };
  try {
    const sessionId = await within(config.startTimeoutMs, `agent ${config.name} was not ready`, signal, [
      open(),
      agent.gone,
    ]);
    const answer = peer.request(acp.methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: order.prompt }],
    });
    answer.catch(() => {}); // heard below, or no more of interest
    try {
      const late = `agent ${config.name} had no result`;
      return (await within(config.promptTimeoutMs, late, signal, [answer, agent.gone])).stopReason;
    } catch (thrown) {
      if (isStop(thrown)) await windUp(peer, acp.methods.agent.session.cancel, sessionId, answer);
      throw thrown;
    }
  } catch (thrown) {
    if (thrown instanceof AntlerError) throw thrown;
    // A line that breaks is mostly the first sign that the process has ended, which says more.
    if (codeOf(thrown) === undefined) await within(END_SHOWS_MS, '', signal, [agent.gone]).catch(throwUnlessTimeout);
    throw broken(config, thrown);
  } finally {
    connection.close();
    await agent.stop();
  }
}

const isStop = (thrown: unknown): boolean =>
  thrown instanceof AntlerError && (thrown.code === 'cancelled' || thrown.code === 'timeout');

/** Of an error that the agent has sent. */
function codeOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'number' ? thrown.code : undefined;
}

function throwUnlessTimeout(thrown: unknown): void {
  if (!(thrown instanceof AntlerError) || thrown.code !== 'timeout') throw thrown;
}

/** What agents say of their faults may name keys and paths, so only the kind is told. */
function broken({ name }: ExternalAgentConfig, thrown: unknown): AntlerError {
  const code = codeOf(thrown);
  // -32000 of the protocol: it wants to be logged in.
  if (code === -32000) return new AntlerError('unauthorized', `agent ${name} is not logged in`);
  return new AntlerError('unavailable', `agent ${name} failed${code === undefined ? '' : ` (error ${code})`}`);
}

async function windUp(
  peer: ClientContext,
  method: 'session/cancel',
  sessionId: string,
  answer: Promise<unknown>,
): Promise<void> {
  await peer.notify(method, { sessionId }).catch(() => {}); // it is gone
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CANCEL_GRACE_MS);
  await Promise.race([promise, answer.catch(() => {})]);
  clearTimeout(timer);
}

async function within<Value>(
  ms: number,
  late: string,
  signal: AbortSignal,
  promises: readonly Promise<Value>[],
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AntlerError('timeout', `${late} within ${ms / 1000} s.`)), ms);
  const cancel = (): void => reject(new AntlerError('cancelled', 'stopped'));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await Promise.race([promise, ...promises]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}
