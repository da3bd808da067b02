import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AntlerError } from '../../base/errors.ts';
import { type AccessToken, fetchWithToken } from './access-token.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { McpServerConfig } from './port.ts';

const CLIENT = { name: 'antler', version: '1.0.0' };
/** Of one message of a server. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** One connection to a server, from its making to its end. */
export interface Connection {
  readonly client: Client;
  /** Aborts when the server is gone. */
  readonly closed: AbortSignal;
  close(): Promise<void>;
}

/**
 * Connects to a server. The SDK is loaded only now.
 * @throws AntlerError `unavailable` with what the server or the way to it has against it.
 */
export async function connect(config: McpServerConfig, token?: AccessToken): Promise<Connection> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const transport = await transportTo(config, token);
  const client = new Client(CLIENT);
  const gone = new AbortController();
  client.onclose = () => gone.abort();
  client.onerror = () => {}; // what matters ends a request or the connection, and is told there
  try {
    await client.connect(transport, { timeout: config.startTimeoutMs });
  } catch (cause) {
    await client.close().catch(() => {}); // it never was open
    throw new AntlerError('unavailable', `MCP server ${config.name}: ${reasonOf(cause, config, token)}`, {
      retryable: true,
    });
  }
  return {
    client,
    closed: gone.signal,
    close: () => client.close().catch(() => {}), // it is gone either way
  };
}

async function transportTo(config: McpServerConfig, token?: AccessToken): Promise<Transport> {
  if (config.transport === 'stdio') {
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    return new StdioClientTransport({
      command: config.command,
      args: [...config.args],
      env: { ...getDefaultEnvironment(), ...config.env },
      stderr: 'ignore',
      maxBufferSize: MAX_MESSAGE_BYTES,
      ...(config.cwd === undefined ? {} : { cwd: config.cwd }),
    });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers: { ...config.headers } },
    redirectPolicy: 'same-origin',
    fetch: boundedFetch(MAX_MESSAGE_BYTES, token === undefined ? fetch : fetchWithToken(token, config.url)),
  });
  // The class's own type is looser than the interface under exact optional properties.
  return transport as Transport;
}

/** The words of an error without what the configuration keeps secret. */
export function reasonOf(cause: unknown, config: McpServerConfig, token?: AccessToken): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  const secrets = Object.values(config.transport === 'stdio' ? config.env : config.headers);
  return [...secrets, ...(token?.secrets ?? [])]
    .filter((secret) => secret.length >= 4)
    .reduce((text, secret) => text.replaceAll(secret, '***'), words)
    .slice(0, 300)
    .toWellFormed();
}
