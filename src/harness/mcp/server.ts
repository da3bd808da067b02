import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../base/clock.ts';
import { AntlerError, asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Tool } from '../tools/port.ts';
import { AccessToken } from './access-token.ts';
import { type Connection, connect, reasonOf } from './connection.ts';
import type { McpServerConfig, McpServerStatus, TokenShelf } from './port.ts';
import { toolOf } from './tool.ts';

/** A server that could not be reached is not asked again for so long, so that runs do not wait for it one by one. */
const STAND_BACK_MS = 30_000;
const MAX_TOOLS = 500;
const MAX_PAGES = 50;

/**
 * One server: connected when first needed, by one caller for all; its tools listed once, and anew when it says that
 * they have changed. When it dies the next call connects again.
 */
export class McpServer {
  readonly config: McpServerConfig;
  readonly #token: AccessToken | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Logger;
  #connecting: Promise<Connection> | undefined;
  /** Made once a list, since a run begins with them. */
  #tools: Promise<readonly Tool[]> | undefined;
  #known = 0;
  #failure: { readonly error: AntlerError; readonly at: number } | undefined;
  #isClosed = false;

  constructor(config: McpServerConfig, shelf: TokenShelf, clock: Pick<Clock, 'now'>, log: Logger) {
    this.config = config;
    const oauth = config.transport === 'http' ? config.oauth : undefined;
    if (oauth !== undefined) this.#token = new AccessToken({ oauth, shelf, clock, timeoutMs: config.startTimeoutMs });
    this.#clock = clock;
    this.#log = log;
  }

  get status(): McpServerStatus {
    const { name } = this.config;
    if (this.#failure !== undefined) return { name, state: 'failing', tools: 0, problem: this.#failure.error.message };
    return { name, state: this.#connecting === undefined ? 'idle' : 'connected', tools: this.#known };
  }

  /** @throws AntlerError `unavailable`. */
  async tools(): Promise<readonly Tool[]> {
    const connection = await this.#connection();
    this.#tools ??= this.#make(connection).catch((error: unknown) => {
      this.#tools = undefined;
      throw error;
    });
    return this.#tools;
  }

  /**
   * Calls a tool by the server's own name for it. A call that was cut off is not repeated: it may have taken effect.
   * @throws AntlerError `unavailable`, `timeout`, `cancelled`.
   */
  async call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const connection = await this.#connection();
    const { callTimeoutMs: timeout } = this.config;
    try {
      const result = await connection.client.callTool({ name: tool, arguments: args }, undefined, {
        timeout,
        maxTotalTimeout: timeout,
        signal,
      });
      return result as CallToolResult;
    } catch (cause) {
      if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
      if (connection.closed.aborted) this.#drop(connection);
      const code = cause instanceof Error && /timed out/i.test(cause.message) ? 'timeout' : 'unavailable';
      throw new AntlerError(code, `MCP server ${this.config.name}: ${reasonOf(cause, this.config, this.#token)}`);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connecting?.catch(() => undefined); // it told who asked
    await connection?.close();
  }

  #connection(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new AntlerError('unavailable', 'MCP is shut down'));
    const failure = this.#failure;
    if (failure !== undefined && this.#clock.now() < failure.at + STAND_BACK_MS) return Promise.reject(failure.error);
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<Connection> {
    try {
      const connection = await connect(this.config, this.#token);
      this.#failure = undefined;
      connection.closed.addEventListener('abort', () => this.#drop(connection), { once: true });
      const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
      connection.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        this.#tools = undefined;
      });
      return connection;
    } catch (thrown) {
      this.#connecting = undefined;
      this.#fail(asAntlerError(thrown, 'unavailable'));
      throw thrown;
    }
  }

  async #make(connection: Connection): Promise<readonly Tool[]> {
    const tools = (await this.#list(connection)).flatMap((offered) => {
      const tool = toolOf(this, offered);
      if (tool === null)
        this.#log.warn({ server: this.config.name, tool: offered.name }, 'an MCP tool with an odd schema is left out');
      return tool ?? [];
    });
    this.#failure = undefined;
    return tools;
  }

  async #list({ client }: Connection): Promise<readonly McpTool[]> {
    const found: McpTool[] = [];
    let cursor: string | undefined;
    try {
      for (let page = 0; page < MAX_PAGES && found.length < MAX_TOOLS; page++) {
        const listed = await client.listTools(cursor === undefined ? {} : { cursor }, {
          timeout: this.config.startTimeoutMs,
        });
        found.push(...listed.tools);
        cursor = listed.nextCursor;
        if (cursor === undefined) break;
      }
    } catch (cause) {
      const error = new AntlerError(
        'unavailable',
        `MCP server ${this.config.name}: ${reasonOf(cause, this.config, this.#token)}`,
      );
      this.#fail(error);
      throw error;
    }
    this.#known = Math.min(found.length, MAX_TOOLS);
    return found.slice(0, MAX_TOOLS);
  }

  #fail(error: AntlerError): void {
    this.#failure = { error, at: this.#clock.now() };
  }

  /** Only the connection at hand: an older one may end late. */
  #drop(connection: Connection): void {
    const current = this.#connecting;
    if (current === undefined) return;
    void current.then(
      (one) => {
        if (one !== connection || this.#connecting !== current) return;
        this.#connecting = undefined;
        this.#tools = undefined;
      },
      () => {}, // it was never made
    );
  }
}
