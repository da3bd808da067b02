import { connect } from 'node:net';
import type { Health } from '../../../src/channel/port.ts';
import type { WechatConfig } from '../config.ts';

const REACH_MS = 5_000;

/**
 * What can be told without holding the connection. A puppet serves one bot at a time, so that asking it who the account
 * is would throw out the gateway that talks to it.
 */
export async function probeFromOutside({ puppet_options }: WechatConfig, signal?: AbortSignal): Promise<Health> {
  const { endpoint } = puppet_options;
  if (endpoint === undefined) return { ok: true };
  const problem = await reach(endpoint, signal);
  return problem === undefined ? { ok: true } : { ok: false, problem: `The puppet service at ${endpoint}: ${problem}` };
}

/** Undefined when something listens there. */
function reach(endpoint: string, signal?: AbortSignal): Promise<string | undefined> {
  const split = endpoint.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect({
      host: endpoint.slice(0, split).replace(/^\[|\]$/g, ''),
      port: Number(endpoint.slice(split + 1)),
    });
    const end = (problem?: string): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(REACH_MS, () => end(`no answer within ${REACH_MS / 1_000} s`));
    socket.once('connect', () => end());
    socket.once('error', (error) => end(error.message));
    signal?.addEventListener('abort', () => end('nobody waits any more'), { once: true });
  });
}
