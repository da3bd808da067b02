import { existsSync } from 'node:fs';
import type Docker from 'dockerode';
import type { DockerOptions } from 'dockerode';
import { AntlerError } from '../../../base/errors.ts';

export type EngineState =
  | { readonly kind: 'ready'; readonly version: string }
  /** `problem` ends a sentence; no secret is in it. */
  | { readonly kind: 'unreachable'; readonly problem: string }
  | { readonly kind: 'no_image' };

const PING_MS = 3_000;
const ASK_AGAIN_MS = 15_000;

/** Docker, or any engine that speaks its API. Its library is loaded at the first use. */
export class Engine {
  readonly #image: string;
  readonly #host: string;
  readonly #now: () => number;
  #docker: Promise<Docker> | undefined;
  #known: { readonly state: Promise<EngineState>; readonly at: number } | undefined;

  constructor(image: string, host: string, now: () => number) {
    this.#image = image;
    this.#host = host;
    this.#now = now;
  }

  client(): Promise<Docker> {
    this.#docker ??= import('dockerode').then(({ default: Client }) => new Client(addressOf(this.#host)));
    return this.#docker;
  }

  /**
   * Does it answer, and has it the image? Asked anew every few seconds; meanwhile what is known counts, so that nobody
   * but the first waits. Never rejects.
   */
  state(): Promise<EngineState> {
    const now = this.#now();
    const known = this.#known;
    if (known === undefined) this.#known = { state: this.#ask(), at: now };
    else if (now - known.at > ASK_AGAIN_MS) {
      this.#known = { state: known.state, at: now };
      void this.#ask().then((state) => {
        this.#known = { state: Promise.resolve(state), at: now };
      });
    }
    return this.#known?.state ?? this.#ask();
  }

  async #ask(): Promise<EngineState> {
    const slow = AbortSignal.timeout(PING_MS);
    const late = new Promise<EngineState>((resolve) => {
      slow.addEventListener('abort', () => resolve({ kind: 'unreachable', problem: 'it does not answer' }));
    });
    return Promise.race([late, this.#look()]);
  }

  async #look(): Promise<EngineState> {
    try {
      const { socketPath } = addressOf(this.#host);
      // Found out without the library, which takes a process tens of megabytes.
      if (socketPath !== undefined && !existsSync(socketPath))
        return { kind: 'unreachable', problem: 'nothing listens there' };
      const docker = await this.client();
      const { Version: version } = await docker.version();
      const image = await docker
        .getImage(this.#image)
        .inspect()
        .catch((thrown: unknown) => {
          if (statusOf(thrown) === 404) return null;
          throw thrown;
        });
      return image === null ? { kind: 'no_image' } : { kind: 'ready', version };
    } catch (thrown) {
      return { kind: 'unreachable', problem: problemOf(thrown) };
    }
  }
}

/** @throws AntlerError `config_invalid`. */
export function addressOf(host: string): DockerOptions {
  if (host.startsWith('/')) return { socketPath: host };
  const url = URL.canParse(host) ? new URL(host) : null;
  switch (url?.protocol) {
    case 'unix:':
      return { socketPath: url.pathname };
    case 'npipe:':
      return { socketPath: host.slice('npipe:'.length) };
    case 'tcp:':
    case 'http:':
    case 'https:': {
      const secure = url.protocol === 'https:';
      return {
        host: url.hostname,
        port: url.port === '' ? (secure ? 2376 : 2375) : Number(url.port),
        protocol: secure ? 'https' : 'http',
      };
    }
    default:
      throw new AntlerError(
        'config_invalid',
        'sandbox.host: expected unix:///path, tcp://host:port or https://host:port',
      );
  }
}

/** The HTTP status of an engine's refusal; undefined when it did not answer. */
export function statusOf(thrown: unknown): number | undefined {
  const status: unknown = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

function problemOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return 'nothing listens there';
    case 'EACCES':
      return 'this user may not use its socket';
    default:
      return thrown instanceof Error ? thrown.message.replace(/\s+/g, ' ').slice(0, 200) : 'it cannot be used';
  }
}

/** What an engine's refusal means for who asked for a command. */
export const engineError = (thrown: unknown): AntlerError =>
  thrown instanceof AntlerError
    ? thrown
    : new AntlerError('unavailable', `the sandbox's engine cannot do it: ${problemOf(thrown)}`, {
        retryable: true,
        cause: thrown,
      });
